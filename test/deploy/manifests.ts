import { parseAllDocuments } from 'yaml';
import { filesBelow } from '../house/source-files.ts';

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly tcpSocket?: { readonly port: string };
  readonly exec?: { readonly command: readonly string[] };
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}

export interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly enableServiceLinks: boolean;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly containers: readonly [Container];
  readonly volumes: readonly {
    readonly name: string;
    readonly secret?: {
      readonly secretName: string;
      readonly items: readonly { readonly key: string; readonly path: string }[];
    };
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }[];
}

/** A document of `deploy/kubernetes`; its fields depend on its kind. */
export interface Manifest {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Record<string, string> };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly replicas?: number;
    readonly strategy?: { readonly type: string };
    readonly selector?: { readonly matchLabels?: Record<string, string> };
    readonly template?: { readonly metadata: { readonly labels: Record<string, string> }; readonly spec: Pod };
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly accessModes?: readonly string[];
  };
}

/** Every document below `deploy/kubernetes`, the kustomization apart. Throws when a file is no YAML. */
export function readManifests(): (Manifest & { readonly document: unknown })[] {
  return filesBelow('deploy/kubernetes', '.yaml')
    .filter(({ path }) => !path.endsWith('/kustomization.yaml'))
    .flatMap(({ path, text }) => {
      const documents = parseAllDocuments(text);
      if ('empty' in documents) throw new Error(`${path} is empty`);
      return documents.map((parsed) => {
        const [problem] = [...parsed.errors, ...parsed.warnings];
        if (problem) throw new Error(`${path}: ${problem.message}`);
        const document = parsed.toJS() as Manifest;
        return { ...document, file: path.replace(/^.*\//, ''), document };
      });
    });
}
