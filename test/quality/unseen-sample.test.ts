import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RankedProduct, sampleFrom } from '../../src/publish/quality/evidence/unseen-sample.ts';

const ranked = (...said: readonly ('gone' | 'there' | 'failed' | 'unasked')[]): RankedProduct[] =>
  said.map((what, i) => ({
    productId: String(i),
    status: what === 'unasked' ? null : what === 'failed' ? 'failed' : 'done',
    isForSale: what === 'there',
  }));

describe('a sample of unseen products', () => {
  test('begins with the first so many of them', () => {
    const { sample, toAsk } = sampleFrom(ranked(...Array(100).fill('unasked')), 100);
    expect(sample).toEqual({ needed: 45, answered: 0, failed: 0, stillThere: 0 });
    expect(toAsk).toEqual(Array.from({ length: 45 }, (_, i) => String(i)));
  });

  test('counts what they answered, and not what others were asked for another reason', () => {
    const said = [...Array(43).fill('gone'), 'there', 'gone', 'there', 'gone', 'unasked'] as const;
    const { sample, toAsk } = sampleFrom(ranked(...said), 100);
    expect(sample).toEqual({ needed: 45, answered: 45, failed: 0, stillThere: 1 });
    expect(toAsk).toEqual([]);
  });

  test('asks others in the place of those that gave no answer', () => {
    const said = ['failed', ...Array(44).fill('gone'), ...Array(55).fill('unasked')] as const;
    const { sample, toAsk } = sampleFrom(ranked(...said), 100);
    expect(sample).toMatchObject({ answered: 44, failed: 1 });
    expect(toAsk).toEqual(['45']);
  });

  test('asks no others when most gave no answer', () => {
    const said = [...Array(30).fill('failed'), ...Array(15).fill('gone'), ...Array(55).fill('unasked')] as const;
    expect(sampleFrom(ranked(...said), 100).toAsk).toEqual([]);
  });

  test('never asks anybody twice, nor more than it needs', () => {
    const answers = fc.constantFrom('gone', 'there', 'failed', 'unasked');
    fc.assert(
      fc.property(fc.array(answers as fc.Arbitrary<'gone'>, { maxLength: 150 }), (said) => {
        const products = ranked(...said);
        const { sample, toAsk } = sampleFrom(products, said.length);
        expect(sample.answered + toAsk.length).toBeLessThanOrEqual(sample.needed);
        for (const id of toAsk) expect(products[Number(id)]!.status).toBeNull();
      }),
    );
  });
});
