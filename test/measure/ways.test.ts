import { describe, expect, it } from 'vitest';
import { filesBelow } from '../house/source-files.ts';
import { filesOn, ways } from './ways.ts';

describe('ways through the program', () => {
  const program = [...filesBelow('src'), ...filesBelow('jobs')];

  it.each(ways)('the way of $name consists of files that exist', (way) => {
    expect(filesOn(way, program).length).toBeGreaterThan(1);
  });

  it('a way follows value imports and SQL files, skips type imports, and stops at its stated end', () => {
    const file = (path: string, ...imports: string[]) => ({ path, text: imports.join('\n') });
    const files = [
      file(
        'src/a.ts',
        "import { b } from './b.ts';",
        "import type { T } from './types.ts';",
        "import { type U } from './types.ts';",
        "import { end } from './db/client.ts';",
        "const statement = readSql('a.sql');",
      ),
      file('src/b.ts', "export * from './c/d.ts';"),
      file('src/c/d.ts', "import '../a.ts';"),
      file('src/a.sql', 'select 1'),
      file('src/types.ts'),
      file('src/db/client.ts'),
    ];
    const way = { name: 'one', from: ['src/a.ts'], until: ['src/db'] };
    expect(filesOn(way, files).map(({ path }) => path)).toEqual(['src/a.sql', 'src/a.ts', 'src/b.ts', 'src/c/d.ts']);
    expect(() => filesOn({ ...way, from: ['src/gone.ts'] }, files)).toThrow('src/gone.ts');
  });
});
