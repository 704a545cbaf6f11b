import type { Measure } from './charts.ts';
import type { Model, Table, Type } from './model.ts';

const types: Readonly<Record<Type, string>> = {
  ...{ text: 'string', whole: 'int64', decimal: 'double', date: 'dateTime', instant: 'dateTime', 'yes-no': 'boolean' },
};

const json = (content: object) => `${JSON.stringify(content, null, 2)}\n`;

/** A Power BI project with a semantic model, in TMDL, and an empty report. */
export function powerBiFiles({ tables }: Model): Record<string, string> {
  const model = 'Pricebook.SemanticModel';
  const names = tables.flatMap((table) => table.measures.map(({ name }) => name));
  return {
    'Pricebook.pbip': json({ version: '1.0', artifacts: [{ report: { path: 'Pricebook.Report' } }] }),
    'Pricebook.Report/definition.pbir': json({
      version: '4.0',
      datasetReference: { byPath: { path: `../${model}` } },
    }),
    'Pricebook.Report/report.json': json({ config: '{}', layoutOptimization: 0, sections: [page] }),
    [`${model}/definition.pbism`]: json({ version: '4.0', settings: {} }),
    [`${model}/definition/database.tmdl`]: 'database Pricebook\n\tcompatibilityLevel: 1567\n',
    [`${model}/definition/model.tmdl`]: `model Model
\tculture: en-GB
\tdefaultPowerBIDataSourceVersion: powerBI_V3
\tdiscourageImplicitMeasures

${tables.map(({ name }) => `ref table ${name}\n`).join('')}`,
    [`${model}/definition/expressions.tmdl`]:
      parameter('Server', 'localhost:5432') + parameter('Database', 'pricebook'),
    [`${model}/definition/relationships.tmdl`]: tables.flatMap(relationships).join('\n'),
    ...Object.fromEntries(
      tables.map((table) => [
        `${model}/definition/tables/${table.name}.tmdl`,
        tableText(table, (name) => names.indexOf(name) !== names.lastIndexOf(name)),
      ]),
    ),
  };
}

const page = {
  ...{ name: 'prices', displayName: 'Prices', ordinal: 0, displayOption: 1, width: 1280, height: 720 },
  ...{ filters: '[]', config: '{}', visualContainers: [] },
};

const parameter = (name: string, value: string) =>
  `expression ${name} = "${value}" meta [IsParameterQuery=true, Type="Text", IsParameterQueryRequired=true]\n\n`;

const isDimension = (name: string) => name.startsWith('dim_');

/** From facts to dimensions only, so that there is one way between two tables. */
const relationships = ({ name, references }: Table) =>
  references
    .filter(({ table }) => !isDimension(name) && isDimension(table))
    .map(
      ({ column, table, key }) => `relationship ${name}_${column}
\tfromColumn: ${name}.${column}
\ttoColumn: ${table}.${key}
`,
    );

const described = (indent: string, about: string) =>
  about === '' ? '' : `${indent}/// ${about.replaceAll(/\s*\n\s*/g, ' ')}\n`;

function tableText({ name, about, sql, columns, measures }: Table, isShared: (name: string) => boolean): string {
  const source = sql
    ? `Value.NativeQuery(Source, "${sql.replaceAll('"', '""')}", null, [EnableFolding = true])`
    : `Source{[Schema = "marts", Item = "${name}"]}[Data]`;
  const query = `let
  Source = PostgreSQL.Database(Server, Database),
  Rows = ${source}
in
  Rows`;
  const title = (measure: Measure) => measure.name + (isShared(measure.name) ? ` of ${name.replaceAll('_', ' ')}` : '');
  const key = name === 'dim_date' ? 'date' : '';
  return [
    `${described('', about)}table ${name}\n${key && '\tdataCategory: Time\n'}`,
    ...measures.map((measure) => `\tmeasure '${title(measure)}' = ${dax(measure)}\n`),
    ...columns.map(
      (column) =>
        `${described('\t', column.about)}\tcolumn ${column.name}\n\t\tdataType: ${types[column.type]}\n` +
        `${column.name === key ? '\t\tisKey\n' : ''}\t\tsummarizeBy: none\n\t\tsourceColumn: ${column.name}\n`,
    ),
    `\tpartition ${name} = m\n\t\tmode: import\n\t\tsource =\n${query.replace(/^(?=.)/gm, '\t\t\t\t')}\n`,
  ].join('\n');
}

function dax({ table, how, column, where }: Measure): string {
  const figure = how === 'avg' ? `AVERAGE(${table}[${column}])` : `COUNTROWS(${table})`;
  return where ? `CALCULATE(${figure}, ${table}[${where[0]}] ${where[1]} ${where[2]})` : figure;
}
