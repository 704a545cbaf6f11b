import { filesBelow, importsOf, type SourceFile } from '../house/source-files.ts';

/** What starts a server, a process or a simulator of a whole supermarket. */
const costly = [
  'test/explorer/explorer-book.ts',
  'test/support/database.ts',
  'test/support/redis-server.ts',
  'test/support/forgetting-disk.ts',
  'test/support/program.ts',
  'test/cli/pricebook.ts',
  'src/cli/bundle.js',
  'src/db/embedded/open-embedded.ts',
  'src/db/embedded/binaries.ts',
];

/**
 * Paths of the tests that need nothing but this process: neither they nor what they import of `test/` asks for more.
 */
export function testsWithoutServer(): string[] {
  const files = new Map(filesBelow('test', '.ts').map((file) => [file.path, file]));
  const needsServer = (file: SourceFile, seen: Set<string>): boolean =>
    importsOf(file).some((target) => {
      if (costly.includes(target)) return true;
      const next = files.get(target);
      if (!next || seen.has(target)) return false;
      return needsServer(next, seen.add(target));
    });
  return [...files.values()]
    .filter(({ path, text }) => path.endsWith('.test.ts') && !/\binject\b/.test(text))
    .filter((file) => !needsServer(file, new Set()))
    .map(({ path }) => path);
}
