import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../house/source-files.ts';

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * What is wrong with manifests by the types that were made from Kubernetes' published schema: a line for each field
 * that it does not know, that is of another type or that is missing.
 */
export function typeMistakes(manifests: readonly Kind[]): string[] {
  const file = join(root, 'manifests-to-check.ts');
  const text = manifests.map(statementOf).join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.Node16,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  const program = ts.createProgram([file], options, {
    ...host,
    fileExists: (path) => path === file || fileExists(path),
    readFile: (path) => (path === file ? text : readFile(path)),
    getSourceFile: (path, ...rest) =>
      path === file ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022) : getSourceFile(path, ...rest),
  });
  const source = program.getSourceFile(file);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}

/** A constant of the manifest's own type: `apps/v1` and `Deployment` are the module and the name of it. */
function statementOf(manifest: Kind, index: number): string {
  const module = manifest.apiVersion.includes('/') ? manifest.apiVersion : `core/${manifest.apiVersion}`;
  return `export const m${index}: import('kubernetes-types/${module}').${manifest.kind} = ${JSON.stringify(manifest)};`;
}
