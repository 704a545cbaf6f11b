import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ReleaseRefused, release } from '../../build/release.js';
import { root } from '../house/source-files.ts';

const kustomization = 'deploy/kubernetes/kustomization.yaml';

describe('a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pricebook-release-'));
  const origin = join(folder, 'origin');
  let clone = '';
  let clones = 0;
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
  const read = (name: string) => readFileSync(join(clone, name), 'utf8');
  const change = (name: string, edit: (text: string) => string) => {
    writeFileSync(join(clone, name), edit(read(name)));
    git(clone, 'commit', '--quiet', '--all', '--message', 'change');
  };
  const releaseNow = (version: string) => release({ root: clone, version, date: '2026-03-27' });

  beforeEach(() => {
    if (clones === 0) makeOrigin();
    clone = join(folder, `clone-${clones++}`);
    git(folder, 'clone', '--quiet', origin, clone);
    git(clone, 'config', 'user.name', 'Ann');
    git(clone, 'config', 'user.email', 'ann@example.org');
    git(clone, 'config', 'tag.gpgSign', 'false');
    git(clone, 'config', 'commit.gpgSign', 'false');
    git(clone, 'config', 'core.hooksPath', join(folder, 'no-hooks'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function makeOrigin() {
    for (const name of ['package.json', 'package-lock.json', 'build/release.js', kustomization])
      cpSync(join(root, name), join(origin, name));
    writeFileSync(
      join(origin, 'CHANGELOG.md'),
      '# Changelog\n\n## Unreleased\n\n* Prices are right.\n\n## 0.0.9 (2026-01-02)\n\n* The first.\n',
    );
    git(origin, 'init', '--quiet', '--initial-branch', 'main');
    git(origin, 'add', '.');
    const author = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', '-c', 'commit.gpgSign=false'];
    git(origin, ...author, '-c', 'core.hooksPath=/nowhere', 'commit', '--quiet', '--message', 'begin');
  }

  it('a release turns the unreleased changes into a version with a date and adds a new empty section', () => {
    expect(releaseNow('7.1.0')).toEqual({ tag: 'v7.1.0' });
    expect(read('CHANGELOG.md')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 7.1.0 (2026-03-27)\n\n* Prices are right.\n\n## 0.0.9 (2026-01-02)\n\n* ' +
        'The first.\n',
    );
  });

  it('a release changes the version in package.json and its lock file only', () => {
    const before = [read('package.json'), read('package-lock.json')];
    releaseNow('7.1.0');
    expect(git(clone, 'diff', '--numstat', 'HEAD~1', '--', 'package.json', 'package-lock.json')).toBe(
      '2\t2\tpackage-lock.json\n1\t1\tpackage.json\n',
    );
    const { version } = JSON.parse(before[0]!) as { version: string };
    expect(read('package.json')).toBe(before[0]!.replace(`"version": "${version}"`, '"version": "7.1.0"'));
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      version: '7.1.0',
      packages: { '': { version: '7.1.0' } },
    });
  });

  it('a release sets the image version of the Kubernetes manifests', () => {
    releaseNow('7.1.0');
    expect(read(kustomization)).toContain('\n    newTag: 7.1.0\n');
  });

  it('a release creates a commit and a tag that describe the changes, in the local repository only', () => {
    const before = git(origin, 'for-each-ref');
    releaseNow('7.1.0');
    expect(git(clone, 'status', '--porcelain')).toBe('');
    expect(git(clone, 'log', '-1', '--format=%s')).toBe('Release 7.1.0\n');
    expect(git(clone, 'rev-parse', 'v7.1.0^{commit}')).toBe(git(clone, 'rev-parse', 'HEAD'));
    expect(git(clone, 'tag', '--list', '--format=%(contents)')).toContain('* Prices are right.');
    expect(git(origin, 'for-each-ref')).toBe(before);
  });

  it.each<[string, string, string, (() => void)?]>([
    ['a checkout with changes', '7.1.0', 'not committed', () => writeFileSync(join(clone, 'new.txt'), '')],
    [
      'an empty section',
      '7.1.0',
      'is empty',
      () => change('CHANGELOG.md', (text) => text.replace('\n* Prices are right.\n', '')),
    ],
    [
      'a changelog without the section',
      '7.1.0',
      'is empty',
      () => change('CHANGELOG.md', (text) => text.replace('## Unreleased', '## Later')),
    ],
    ['what is no version', '7.1', 'is no version'],
    ['a version before the present one', '0.0.1', 'is older'],
    ['a version that has a tag', '7.1.0', 'released already', () => git(clone, 'tag', 'v7.1.0')],
  ])('a release of %s is refused without any change', (_, version, reason, prepare) => {
    prepare?.();
    const before = [git(clone, 'for-each-ref'), git(clone, 'status', '--porcelain')];
    expect(() => releaseNow(version)).toThrow(ReleaseRefused);
    expect(() => releaseNow(version)).toThrow(reason);
    expect([git(clone, 'for-each-ref'), git(clone, 'status', '--porcelain')]).toEqual(before);
  });

  it('the release command reports its actions, or the reason of failure with exit code 1', () => {
    const run = () => spawnSync(process.execPath, ['build/release.js', '7.1.0'], { cwd: clone, encoding: 'utf8' });
    expect(run()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^v7\.1\.0 .*git push --follow-tags/) });
    expect(read('CHANGELOG.md')).toMatch(/^## 7\.1\.0 \(\d{4}-\d\d-\d\d\)$/m);
    expect(run()).toMatchObject({ status: 1, stderr: '7.1.0 has been released already.\n' });
  });
});
