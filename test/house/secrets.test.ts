import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sentinelKey } from '../support/sentinel-key.ts';
import { root } from './source-files.ts';

/** Patterns of secrets, composed of parts so that this file contains none. */
const looks: Readonly<Record<string, RegExp>> = {
  'a key of the marketplace': /\b[0-9a-z]{10}msh[0-9a-z]{15}p1[0-9a-z]{6}jsn[0-9a-z]{12}\b/i,
  'a private key': new RegExp(`-----BEGIN [A-Z ]*${'PRIVATE'} KEY-----\\s+[A-Za-z0-9+/]{40}`),
  'a cloud key': /\b(AKIA|ASIA)[0-9A-Z]{16}\b/,
  'a token of a forge or registry':
    /\b(gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,}|npm_[A-Za-z0-9]{36}|glpat-[\w-]{20})\b/,
  'a key in a header': /x-(rapidapi|gateway)-key['"]?\s*[:=]\s*['"](?![^'"]{0,15}['"])[\w-]{16,}['"]/i,
  'a password in an address': new RegExp(
    '\\b(postgres(ql)?|rediss?)://[^\\s:/@\'"`]+:' +
      '(?!…|%s|\\$|password@|pass@|owning|visiting|hush|secret|me@)[^\\s@\'"`]{8,}@',
    'i',
  ),
};

describe('no secret', () => {
  const files = filesToCommit();

  it('no committed or new file contains a secret', () => {
    expect(files.length).toBeGreaterThan(300);
    const found = files.flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return Object.entries(looks)
        .filter(([, look]) => look.test(text))
        .map(([what]) => `${path}: ${what}`);
    });
    expect(found).toEqual([]);
  });

  it('the sentinel key is written in one place only', () => {
    const holders = files.filter((path) => readFileSync(join(root, path), 'utf8').includes(sentinelKey));
    expect(holders).toEqual(['test/support/sentinel-key.ts']);
  });
});

/** Includes files that are not added yet, because a committed secret is already public. */
function filesToCommit(): string[] {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  return list.split('\0').filter((path) => path !== '' && isText(path));
}

function isText(path: string): boolean {
  try {
    return !readFileSync(join(root, path)).subarray(0, 8_000).includes(0);
  } catch {
    // Deleted and not committed yet.
    return false;
  }
}
