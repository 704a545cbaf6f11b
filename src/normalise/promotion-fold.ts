import { withoutMarkup } from './text.ts';

/**
 * A promotion text in one spelling, so that its meaning can be read: entities as characters, lower case, every white space one blank,
 * one kind of dash, fraction and pound sign, without the marks of footnotes, the dates of the offer and how many it feeds.
 */
export function foldPromotion(text: string): string {
  return withoutMarkup(text)
    .replace(/[\s\u0000-\u001f\u00a0\u200b\u202f\ufeff]+/g, ' ')
    .replace(/[‐-―]/g, '-')
    .replace(/[（]/g, '(')
    .replace(/⅓/g, '1/3')
    .replace(/¼/g, '1/4')
    .replace(/[￡₤]/g, '£')
    .toLowerCase()
    .replace(/(?<![^\s(])\*+|(?<=[a-z!.)])\*+/g, '')
    .replace(/\bclub-card/g, 'clubcard')
    .replace(/(?=club ?card)(?<=[£€]\d[\d.,]*|\dp)/g, ' ')
    .replace(/(?<=\bclub ?card)(?=prices?\b)/g, ' ')
    .replace(/\bcc(?= prices?\b)/g, 'clubcard')
    .replace(/\bany(?=\d)/g, 'any ')
    .replace(/-for-/g, ' for ')
    .replace(datesOfOffer, ' ')
    .replace(feeds, ' ')
    .replace(deposit, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

const month = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*';
const weekday = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?';
const nth = '\\d{1,2}(?:st|nd|rd|th)?';
const fullDate = '(?<!\\d)(?:\\d{1,2}[/.-]\\d{1,2}[/.-](?:\\d{4}|\\d\\d)|\\d{4}-\\d\\d-\\d\\d)(?!\\d)';
/** A day only behind `until` and the like: `1/3` may be a third, `3 may` a number and a verb. */
const shortDate = `(?:\\d{1,2}/\\d{1,2}(?![\\d/]| (?:off|price))|${nth} (?:of )?${month}(?: \\d{4})?|${month} ${nth}(?:,? \\d{4})?)(?!\\w)`;
const words =
  '(?<![a-z])(?:(?:offer|is|valid|available|starts|ends|runs|for (?:delivery|collection)|from|until|till|to|and|between|on) )*';
const datesOfOffer = new RegExp(
  `${words}${weekday}${fullDate}(?: ?- ?${weekday}${fullDate})?|${words}(?:until|till|ends?|ending)(?: on)? ${weekday}${shortDate}`,
  'g',
);

/** `feeds 4 for £10` is one dish for four. */
const feeds =
  /\b(?:feeds?|serves?)(?: (?:up to|a family of))? (?:\d{1,2}(?: ?(?:-|to) ?\d{1,2})?|two|three|four|five|six|eight)\b/g;

/** What is paid back for the bottle is no part of the price. */
const deposit =
  /\(? ?(?:\+|\bplus\b|\bexcl(?:udes|uding|\.)?) ?(?:a )?(?:(?:[£€] ?\d+(?:\.\d\d)?|\d{1,2}[pc]) )?(?:[a-z]+ )?deposit\)?/g;
