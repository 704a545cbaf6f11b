import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { variables } from '../../src/app/config.ts';
import { graceMs } from '../../src/cli/closing.ts';
import { verbs } from '../../src/cli/program.ts';
import { readText } from '../house/source-files.ts';

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly readinessProbe?: object;
  readonly livenessProbe?: object;
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly [Container];
  readonly volumes: readonly {
    readonly name: string;
    readonly secret?: { readonly items: readonly { readonly key: string; readonly path: string }[] };
  }[];
}

/** A document of `deploy/kubernetes/pricebook.yaml`; its fields depend on its kind. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly template?: { readonly spec: Pod } };
}

const manifests = parseAllDocuments(readText('deploy/kubernetes/pricebook.yaml')).map(
  (document) => document.toJS() as Manifest,
);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const roles = manifests.flatMap(({ kind, metadata, spec }) => {
  const pod = spec?.template?.spec;
  return pod ? [{ kind, name: metadata.name, pod, container: pod.containers[0] }] : [];
});
const secretNames = variables.filter(({ secret }) => secret).map(({ name }) => name);

describe('deploy/kubernetes/pricebook.yaml', () => {
  it('there is a manifest for every long-running command and the migration', () => {
    const run = roles.map(({ kind, container }) => [kind, ...container.args]);
    expect(run.sort()).toEqual([
      ['Deployment', 'schedule'],
      ['Deployment', 'serve'],
      ['Deployment', 'work'],
      ['Job', 'migrate'],
    ]);
    expect(verbs.map(({ name }) => name)).toEqual(expect.arrayContaining(run.map(([, verb]) => verb)));
  });

  it("one image with the package's version is used", () => {
    const { version } = JSON.parse(readText('package.json')) as { version: string };
    const images = new Set(roles.map(({ container }) => container.image));
    expect([...images]).toEqual([`registry.example.org/pricebook:${version}`]);
  });

  it('the manifests set only known variables', () => {
    const known = [...variables.map(({ name }) => name), ...secretNames.map((name) => `${name}_FILE`)];
    const set = [
      ...roles.flatMap(({ container }) => container.env.map(({ name }) => name)),
      ...ofKind('ConfigMap').flatMap(({ data }) => Object.keys(data!)),
    ];
    expect(set.length).toBeGreaterThan(10);
    expect(set.filter((name) => !known.includes(name) || secretNames.includes(name))).toEqual([]);
  });

  it('secrets are mounted as files', () => {
    const used = new Set<string>();
    for (const { name, pod, container } of roles) {
      const { secret } = pod.volumes.find((volume) => volume.name === 'secrets')!;
      const mount = container.volumeMounts.find((each) => each.name === 'secrets')!;
      expect(mount.readOnly, name).toBe(true);
      const files = container.env.filter((each) => each.name.endsWith('_FILE')).map(({ value }) => value);
      expect(files.sort()).toEqual(secret!.items.map(({ path }) => `${mount.mountPath}/${path}`).sort());
      for (const { key } of secret!.items) used.add(key);
    }
    const created = [...readText('docs/start/kubernetes.md').matchAll(/--from-file=([\w-]+)/g)].map(([, key]) => key!);
    expect([...used].sort()).toEqual(created.sort());
  });

  it('containers run without root, write access and capabilities', () => {
    for (const { name, pod, container } of roles) {
      expect(pod.securityContext, name).toMatchObject({ runAsNonRoot: true });
      expect(container.securityContext, name).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('probes check readiness and liveness at the right port, and pods have time to stop', () => {
    for (const { kind, name, pod, container } of roles) {
      expect(pod.terminationGracePeriodSeconds * 1_000, name).toBeGreaterThan(graceMs);
      if (kind === 'Job') continue;
      const [{ name: port, containerPort }] = container.ports as [{ name: string; containerPort: number }];
      const variable = name === 'pricebook-explorer' ? 'PORT' : 'METRICS_PORT';
      expect(container.env).toContainEqual({ name: variable, value: String(containerPort) });
      expect(container.readinessProbe).toMatchObject({ httpGet: { path: '/readyz', port } });
      // The only path that queries no server.
      expect(container.livenessProbe).toMatchObject({ httpGet: { path: '/healthz', port } });
    }
  });
});
