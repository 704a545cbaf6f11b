import { describe, expect, it } from 'vitest';
import { ContractBroken } from '../../src/base/errors.ts';
import { ukTaxonomy } from '../../src/source/endpoints/index.ts';
import { encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import cases from './taxonomy.json' with { type: 'json' };

// taxonomy.json has taxonomies as received: `nested`, `faulty`, and bodies without one, `broken`.

const read = (taxonomy: unknown) => ukTaxonomy.read({ success: true, data: { taxonomy } }, undefined);

describe('a taxonomy', () => {
  it('a taxonomy becomes nodes in document order, with missing ids computed and names untrimmed', () => {
    const { records, rejected } = read(cases.nested);
    const drinks = encodeCategoryId(['Drinks ']);
    const beer = encodeCategoryId(['Drinks ', 'Beer']);
    expect(rejected).toEqual([]);
    expect(records.nodes).toEqual([
      { categoryId: drinks, parentId: null, name: 'Drinks', label: 'superDepartment', depth: 0 },
      { categoryId: beer, parentId: drinks, name: 'Beer', label: 'department', depth: 1 },
      { categoryId: 'b;given', parentId: beer, name: 'Ale', label: 'aisle', depth: 2 },
      {
        categoryId: encodeCategoryId(['Drinks ', 'Wine']),
        parentId: drinks,
        name: 'Wine',
        label: 'department',
        depth: 1,
      },
      { categoryId: encodeCategoryId(['Pets']), parentId: null, name: 'Pets', label: 'superDepartment', depth: 0 },
    ]);
  });

  it('ids below a given id are computed from that id, whatever the printed name', () => {
    const { nodes } = read([
      {
        id: encodeCategoryId(['Marketplace']),
        name: 'Renamed',
        label: '?',
        children: [{ name: 'Deals', label: 'department' }],
      },
    ]).records;
    expect(nodes.map(({ categoryId }) => categoryId)).toEqual([
      encodeCategoryId(['Marketplace']),
      encodeCategoryId(['Marketplace', 'Deals']),
    ]);
  });

  it('nodes without a name and repeated ids are rejected, and the rest is parsed', () => {
    const { records, rejected } = read(cases.faulty);
    expect(records.nodes.map(({ categoryId, parentId }) => [categoryId, parentId])).toEqual([
      ['b;a', null],
      ['b;b', 'b;a'],
    ]);
    expect(rejected.map(({ path, reason }) => [path, reason])).toEqual([
      ['data.taxonomy[0].children[0]', 'name: missing'],
      ['data.taxonomy[1]', 'id: a category of this id came before'],
      ['data.taxonomy[2]', 'Invalid input: expected object, received string'],
    ]);
  });

  it('a taxonomy is cut off at the maximum depth', () => {
    let node: Record<string, unknown> = { name: 'leaf' };
    for (let depth = 0; depth < 3_000; depth += 1) node = { name: `n${depth}`, children: [node] };
    const { records, rejected } = read([node]);
    expect(records.nodes).toHaveLength(16);
    expect(rejected.map(({ reason }) => reason)).toEqual(['children: too deep']);
  });

  it('a taxonomy that is not a list of nodes breaks the contract', () => {
    for (const body of cases.broken) {
      expect(() => ukTaxonomy.read(body, undefined)).toThrow(ContractBroken);
    }
  });

  it('ids and names that cannot be indexed, and labels that are too long, are dropped', () => {
    const long = 'x'.repeat(1_001);
    const { records, rejected } = read([
      { id: long, name: 'A', children: [{ name: 'below' }] },
      { name: 'é'.repeat(300) },
      { name: long },
      { id: 'b;\u0000kept', name: 'B', label: long },
    ]);
    expect(records.nodes.map(({ categoryId, label }) => [categoryId, label])).toEqual([['b;kept', 'x'.repeat(100)]]);
    expect(rejected.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      'data.taxonomy[0] id: too long',
      'data.taxonomy[1] id: too long',
      expect.stringMatching(/^data\.taxonomy\[2\] name: Too big/),
    ]);
  });

  it('a taxonomy with too many nodes is refused', () => {
    expect(() => read(Array(100_001).fill(1))).toThrow(ContractBroken);
    expect(() => read(Array.from({ length: 100_001 }, (_, i) => ({ id: `b;${i}`, name: 'A' })))).toThrow(
      ContractBroken,
    );
  });
});
