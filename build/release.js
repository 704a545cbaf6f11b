// @ts-check
// `npm run release -- X.Y.Z`: makes "Unreleased" of the changelog that version, sets it in the package and in the
// manifests that name its image, commits and tags. It publishes nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const manifests = 'deploy/kubernetes/kustomization.yaml';

/** Why there is no release; nothing was changed. */
export class ReleaseRefused extends Error {
  /** @override */
  name = 'ReleaseRefused';
}

/**
 * Releases what is committed at `root`. Throws `ReleaseRefused`, and changes nothing, where that cannot be a release.
 * @param {{ root: string, version: string, date: string }} what `date` as 2026-03-27
 * @returns {{ tag: string }}
 */
export function release({ root, version, date }) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const path = (/** @type {string} */ name) => join(root, name);
  const changelog = readFileSync(path('CHANGELOG.md'), 'utf8');
  const manifest = readFileSync(path('package.json'), 'utf8');
  const locked = JSON.parse(readFileSync(path('package-lock.json'), 'utf8'));
  const tag = `v${version}`;

  if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(version))
    throw new ReleaseRefused(`"${version}" is no version; say npm run release -- 1.2.3.`);
  if (git('status', '--porcelain') !== '')
    throw new ReleaseRefused('There are changes that are not committed. Commit them, or put them aside.');
  const { version: current } = JSON.parse(manifest);
  if (version.localeCompare(current, 'en', { numeric: true }) < 0)
    throw new ReleaseRefused(`${version} is older than ${current}, which package.json has.`);
  if (git('tag', '--list', tag) !== '' || changelog.includes(`\n## ${version} `))
    throw new ReleaseRefused(`${version} has been released already.`);
  const [, unreleased = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog) ?? [];
  if (unreleased.trim() === '')
    throw new ReleaseRefused('"Unreleased" of CHANGELOG.md is empty: nothing to release, or nobody said what.');

  locked.version = version;
  locked.packages[''].version = version;
  writeFileSync(
    path('CHANGELOG.md'),
    changelog.replace('## Unreleased\n', () => `## Unreleased\n\n## ${version} (${date})\n`),
  );
  writeFileSync(
    path('package.json'),
    manifest.replace(/^( {2}"version": )".*"/m, (_, name) => `${name}"${version}"`),
  );
  writeFileSync(path(manifests), readFileSync(path(manifests), 'utf8').replace(/^( *newTag: ).*$/m, `$1${version}`));
  writeFileSync(path('package-lock.json'), `${JSON.stringify(locked, null, 2)}\n`);
  git('commit', '--quiet', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', tag, '--message', `Pricebook ${version}\n\n${unreleased.trim()}`);
  return { tag };
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { tag } = release({
      root: fileURLToPath(new URL('../', import.meta.url)),
      version: argv[2] ?? '',
      date: new Date().toISOString().slice(0, 10),
    });
    console.log(`${tag} is committed and tagged here. Nothing was pushed: git push --follow-tags does that.`);
  } catch (error) {
    if (!(error instanceof ReleaseRefused)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
