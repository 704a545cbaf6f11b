import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { variables } from '../../src/app/config.ts';
import { graceMs } from '../../src/cli/closing.ts';
import { verbs } from '../../src/cli/verbs/index.ts';
import { readText, root } from '../house/source-files.ts';
import { type Manifest, type Pod, readManifests } from './manifests.ts';
import { typeMistakes } from './type-mistakes.ts';

const kustomization = parse(readText('deploy/kubernetes/kustomization.yaml')) as {
  resources: string[];
  images: { name: string; newName: string; newTag: string }[];
};
const manifests = readManifests();
const ofKind = (kind: string): readonly (typeof manifests)[number][] =>
  manifests.filter((manifest) => manifest.kind === kind);
/** The only one of its kind. */
const onlyOf = (kind: string) => {
  const [only, ...others] = ofKind(kind);
  if (!only || others.length > 0) throw new Error(`there is not one ${kind}`);
  return only;
};
const named = (name: string) => manifests.find(({ metadata }) => metadata.name === name)!;
const podOf = ({ spec }: Manifest): Pod => spec!.template!.spec;
const roles = manifests.filter(({ spec }) => spec?.template);
const roleOf = (manifest: Manifest) => podOf(manifest).containers[0];
const isKubectlThere = spawnSync('kubectl', ['version', '--client']).status === 0;

describe('deploy/kubernetes', () => {
  it('the manifests apply completely except the secret, which has names only', () => {
    const files = [...new Set(manifests.map(({ file }) => file))];
    expect([...kustomization.resources, 'secret.example.yaml'].sort()).toEqual(files.sort());
    const { stringData } = onlyOf('Secret');
    expect(Object.values(stringData!).filter((value) => value !== '')).toEqual([]);
  });

  it('the manifests name no namespace', () => {
    expect(manifests.filter(({ metadata }) => metadata.namespace !== undefined)).toEqual([]);
    expect(kustomization).not.toHaveProperty('namespace');
  });

  it('there is a manifest for every long-running command and the migration', () => {
    expect(roles.map((role) => [role.kind, role.metadata.name, roleOf(role).args])).toEqual([
      ['Deployment', 'pricebook-explorer', ['serve']],
      ['Job', 'pricebook-migrate', ['migrate']],
      ['Deployment', 'pricebook-scheduler', ['schedule']],
      ['Deployment', 'pricebook-worker', ['work']],
    ]);
    const known = verbs.map(({ name }) => name);
    expect(roles.flatMap((role) => roleOf(role).args).filter((verb) => !known.includes(verb))).toEqual([]);
  });

  it('there is one scheduler, never two at a time, and several workers', () => {
    expect(named('pricebook-scheduler').spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    expect(named('pricebook-worker').spec!.replicas).toBeGreaterThan(1);
  });

  it("one image with the package's version and a fixed tag is used", () => {
    expect([...new Set(roles.map((role) => roleOf(role).image))]).toEqual(['pricebook']);
    const { version } = JSON.parse(readText('package.json')) as { version: string };
    expect(kustomization.images).toEqual([
      { name: 'pricebook', newName: 'registry.example.org/pricebook', newTag: version },
    ]);
  });

  it('the manifests set only known variables', () => {
    const known = variables.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
    const set = [
      ...roles.flatMap((role) => roleOf(role).env.map(({ name }) => name)),
      ...ofKind('ConfigMap').flatMap(({ data }) => Object.keys(data!)),
    ];
    expect(set.length).toBeGreaterThan(10);
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
    for (const role of roles) expect(roleOf(role).envFrom).toEqual([{ configMapRef: { name: 'pricebook' } }]);
  });

  it('variables injected for services are disabled', () => {
    expect(roles.filter((role) => podOf(role).enableServiceLinks !== false)).toEqual([]);
  });

  it('secrets are mounted as files', () => {
    const secretNames = variables.filter(({ secret }) => secret).map(({ name }) => name);
    const { stringData } = onlyOf('Secret');
    const configuration = onlyOf('ConfigMap');
    expect(Object.keys(configuration.data!).filter((name) => secretNames.includes(name))).toEqual([]);
    const used = new Set<string>();
    for (const role of roles) {
      const { env, volumeMounts } = roleOf(role);
      expect(env.filter(({ name, value }) => secretNames.includes(name) || value === undefined)).toEqual([]);
      const { secret } = podOf(role).volumes.find(({ name }) => name === 'secrets')!;
      const mount = volumeMounts.find(({ name }) => name === 'secrets')!;
      expect(mount.readOnly, role.metadata.name).toBe(true);
      const files = env.filter(({ name }) => name.endsWith('_FILE')).map(({ value }) => value);
      expect(files.sort()).toEqual(secret!.items.map(({ path }) => `${mount.mountPath}/${path}`).sort());
      for (const { key } of secret!.items) used.add(key);
    }
    expect([...used].sort()).toEqual(Object.keys(stringData!).sort());
  });

  it("only the migration gets the owner's database URL", () => {
    const keys = (role: Manifest) =>
      podOf(role).volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []);
    expect(roles.filter((role) => keys(role).includes('owner-database-url')).map(({ kind }) => kind)).toEqual(['Job']);
  });

  it('containers run without root, write access and capabilities', () => {
    for (const role of roles) {
      expect(podOf(role).securityContext, role.metadata.name).toMatchObject({
        runAsNonRoot: true,
        runAsUser: expect.toSatisfy((user: number) => user > 0),
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(roleOf(role).securityContext, role.metadata.name).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(podOf(role).automountServiceAccountToken, role.metadata.name).toBe(false);
    }
  });

  it('probes check readiness and liveness at the right port', () => {
    const listens = {
      'pricebook-explorer': 'PORT',
      'pricebook-worker': 'METRICS_PORT',
      'pricebook-scheduler': 'METRICS_PORT',
    };
    for (const [name, variable] of Object.entries(listens)) {
      const { env, ports, startupProbe, readinessProbe, livenessProbe } = roleOf(named(name));
      const [{ name: port, containerPort }] = ports as [{ name: string; containerPort: number }];
      expect(env).toContainEqual({ name: variable, value: String(containerPort) });
      expect(env).toContainEqual({ name: 'HOST', value: '0.0.0.0' });
      expect(readinessProbe!.httpGet).toEqual({ path: '/readyz', port });
      for (const probe of [startupProbe, livenessProbe]) expect(probe!.httpGet).toEqual({ path: '/healthz', port });
      // Readiness answers after two seconds at the latest.
      expect(readinessProbe!.timeoutSeconds).toBeGreaterThan(2);
    }
  });

  it('liveness does not depend on the database', () => {
    for (const role of roles) {
      const { livenessProbe } = roleOf(role);
      // The only path that queries no server.
      expect(livenessProbe?.httpGet?.path ?? '/healthz', role.metadata.name).toBe('/healthz');
      expect(livenessProbe?.exec, role.metadata.name).toBeUndefined();
    }
  });

  it('workers have more time to stop than the grace period, and resource limits', () => {
    for (const role of roles) {
      expect(podOf(role).terminationGracePeriodSeconds * 1_000, role.metadata.name).toBeGreaterThan(graceMs);
      expect(roleOf(role).resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    }
  });

  it('all crawling containers share one archive at the configured path', () => {
    const claims = ofKind('PersistentVolumeClaim').map(({ metadata }) => metadata.name);
    const mounting = roles.filter((role) =>
      podOf(role).volumes.some(({ persistentVolumeClaim }) => claims.includes(persistentVolumeClaim?.claimName ?? '')),
    );
    expect(mounting.map(({ metadata }) => metadata.name)).toEqual(['pricebook-scheduler', 'pricebook-worker']);
    const home = /PRICEBOOK_HOME=(\S+)/.exec(readText('Dockerfile'))?.[1];
    for (const role of roles) expect(roleOf(role).volumeMounts).toContainEqual({ name: 'home', mountPath: home });
  });

  it('selectors match pods, and the service matches an open port', () => {
    for (const { spec, metadata } of ofKind('Deployment'))
      expect(spec!.template!.metadata.labels, metadata.name).toMatchObject(spec!.selector!.matchLabels!);
    const service = onlyOf('Service');
    const deployment = ofKind('Deployment').find(({ metadata }) => metadata.name === service.metadata.name)!;
    expect(deployment.spec!.template!.metadata.labels).toMatchObject(service.spec!.selector!);
    expect(roleOf(deployment).ports!.map(({ name }) => name)).toEqual(service.spec!.ports!.map((p) => p.targetPort));
  });
});

const areTypesThere = existsSync(join(root, 'node_modules/kubernetes-types'));
const schemaTitle = areTypesThere ? 'of Kubernetes 1.30' : 'of Kubernetes 1.30 (kubernetes-types is not installed)';

describe.runIf(areTypesThere)(`the published schema ${schemaTitle}`, () => {
  it('every field of the manifests is in the schema, and required ones are present', () => {
    expect(typeMistakes(manifests.map(({ document }) => document as Manifest))).toEqual([]);
  });

  it('the schema check detects misspelt, wrongly typed and missing fields', () => {
    const text = JSON.stringify(named('pricebook-scheduler').document);
    const broken = [
      text.replace('"readOnlyRootFilesystem"', '"readOnlyRootFileSystem"'),
      text.replace('"replicas":1', '"replicas":"1"'),
      text.replace(/"selector":\{"matchLabels":\{[^}]*\}\},/, ''),
    ];
    expect(typeMistakes(broken.map((each) => JSON.parse(each) as Manifest))).toEqual([
      expect.stringMatching(/readOnlyRootFileSystem.* does not exist/),
      expect.stringContaining("'string' is not assignable to type 'number'"),
      expect.stringContaining("'selector' is missing"),
    ]);
  });
});

describe.runIf(isKubectlThere)('kubectl', () => {
  it('kubectl builds the manifests with the given image', () => {
    const built = spawnSync('kubectl', ['kustomize', join(root, 'deploy/kubernetes')], { encoding: 'utf8' });
    expect(built.status, built.stderr).toBe(0);
    const documents = parseAllDocuments(built.stdout).map((document) => document.toJS() as Manifest);
    expect(documents).toHaveLength(manifests.length - 1);
    const { newName, newTag } = kustomization.images[0]!;
    const images = documents.filter(({ spec }) => spec?.template).map((role) => roleOf(role).image);
    expect(new Set(images)).toEqual(new Set([`${newName}:${newTag}`]));
  });
});
