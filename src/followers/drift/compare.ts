import { bySeverity, type Finding } from './finding.ts';
import { findMovedFields } from './moved-fields.ts';
import type { NightProfile } from './night-profile.ts';
import { type PathProfile, type Profile, parentOf, presence, usualType } from './payload-profile.ts';
import { fewestHolders, filledShare, isLost, isOfOtherType, shareOf } from './share.ts';

const fewestNumbers = 10;
/** Factor of the geometric mean that changes of the range cannot explain. */
const jumpFactor = 8;

/** Differences between a night's payloads and those of an earlier night, worst first. */
export function compareProfiles(before: NightProfile, now: NightProfile): readonly Finding[] {
  const losses = lossesOfReading(before, now);
  const jumpsRead = Object.keys(now.read).some((path) => jumpOf(before.read[path], now.read[path]) !== null);
  const readsWorse = losses.some(({ severity }) => severity === 'breaking');
  const found: Finding[] = [...losses];
  for (const path of new Set([...Object.keys(before.upstream), ...Object.keys(now.upstream)])) {
    found.push(...changesAt(path, before.upstream, now.upstream, { readsWorse, jumpsRead, reasons: now.reasons }));
  }
  const moved = findMovedFields(before.upstream, now.upstream);
  return found
    .map((finding) => {
      const movedTo = moved.get(finding.path);
      return movedTo && (finding.kind === 'lost_field' || finding.kind === 'type_changed')
        ? { ...finding, movedTo }
        : finding;
    })
    .sort(bySeverity);
}

/** Factor by which the geometric mean changed; null: not significant. */
export function jumpOf(was: PathProfile | undefined, is: PathProfile | undefined): number | null {
  if (!was?.numbers || !is?.numbers || was.numbers.nonZero < fewestNumbers || is.numbers.nonZero < fewestNumbers)
    return null;
  const factor = Math.exp(is.numbers.logs / is.numbers.nonZero - was.numbers.logs / was.numbers.nonZero);
  return factor >= jumpFactor || factor <= 1 / jumpFactor ? factor : null;
}

interface Around {
  readonly readsWorse: boolean;
  readonly jumpsRead: boolean;
  readonly reasons: Readonly<Record<string, number>>;
}

function* changesAt(path: string, before: Profile, now: Profile, around: Around): Generator<Finding> {
  const [was, is] = [before[path], now[path]];
  const parent = parentOf(path);
  if (was === undefined && is !== undefined) {
    if (
      parent !== null &&
      before[parent] !== undefined &&
      presence(before[parent]) >= fewestHolders &&
      !path.endsWith('[]')
    ) {
      const said = `new: ${typesIn(is)} in ${percent(shareOf(now, path) ?? 1)} of its places`;
      yield { kind: 'new_field', severity: 'info', path, said };
    }
    return;
  }
  if (was === undefined) return;
  if (isLost(path, before, now)) {
    const severity = around.readsWorse && isNamed(path, around.reasons) ? 'breaking' : 'warning';
    const said = `gone: it was in ${percent(shareOf(before, path) ?? 1)} of its places`;
    yield { kind: 'lost_field', severity, path, said };
    return;
  }
  if (is === undefined) return;
  if (isOfOtherType(was, is)) {
    const severity = around.readsWorse ? 'breaking' : 'warning';
    const said = `${article(usualType(is)!)} instead of ${article(usualType(was)!)}`;
    yield { kind: 'type_changed', severity, path, said };
  }
  const factor = jumpOf(was, is);
  if (factor !== null) {
    const said = `${factorInWords(factor)}: usually about ${rounded(meanOf(is))} instead of ${rounded(meanOf(was))}`;
    yield { kind: 'jump', severity: around.jumpsRead ? 'breaking' : 'warning', path, said };
  }
}

/** Fields read from the earlier night but not from this one. */
function lossesOfReading(before: NightProfile, now: NightProfile): Finding[] {
  const losses: Finding[] = [];
  const lostShare = (night: NightProfile) => (night.payloads === 0 ? 0 : night.unreadable / night.payloads);
  const rejectedShare = (night: NightProfile) => night.rejected / Math.max(1, night.elements);
  const reason = Object.entries(now.reasons).sort(([, one], [, other]) => other - one)[0]?.[0] ?? 'no reason given';
  const [lost, rejected] = [lostShare(now), rejectedShare(now)];
  if (lost > 0.2 && lost > 2 * lostShare(before)) {
    const said = `${percent(lost)} of the payloads break the contract (${reason})`;
    losses.push({ kind: 'unreadable', severity: 'breaking', path: '$', said });
  } else if (rejected > 0.2 && rejected > 2 * rejectedShare(before)) {
    const said = `${percent(rejected)} of the elements are rejected (${reason})`;
    losses.push({ kind: 'unreadable', severity: 'breaking', path: '$', said });
  }
  if (losses.length > 0) return losses;
  const isReshaped = Object.keys(before.upstream).some(
    (path) => isLost(path, before.upstream, now.upstream) || isOfOtherType(before.upstream[path]!, now.upstream[path]),
  );
  for (const path of Object.keys(before.read)) losses.push(...emptiedAt(path, before.read, now.read, isReshaped));
  return losses;
}

/**
 * A field that is hardly read any more. Absence alone proves nothing, because one promotion covers many products and
 * all of a kind may end on one day; the mapping misses it if the payloads have another shape as well.
 */
function* emptiedAt(path: string, before: Profile, now: Profile, isReshaped: boolean): Generator<Finding> {
  const [was, is] = [filledShare(before, path), filledShare(now, path)];
  if (was === null || is === null || is.share > was.share / 10) return;
  // The expected number is too large for chance.
  if (was.share * is.holders < 20) return;
  const said = path.endsWith('[]')
    ? `read ${rounded(is.share)} times in each list instead of ${rounded(was.share)} times`
    : `read in ${percent(is.share)} of its places instead of ${percent(was.share)}`;
  yield isReshaped
    ? { kind: 'reads_less', severity: 'breaking', path, said }
    : { kind: 'reads_less', severity: 'warning', path, said: `${said}; possibly none is offered` };
}

/** Whether rejection reasons name the field. */
function isNamed(path: string, reasons: Readonly<Record<string, number>>): boolean {
  const name = path.split('.').at(-1)?.replaceAll('[]', '') ?? path;
  return Object.keys(reasons).some((reason) => reason.split(/[^\w$]+/).includes(name));
}

const meanOf = ({ numbers }: PathProfile): number => (numbers ? Math.exp(numbers.logs / numbers.nonZero) : 0);

const typesIn = ({ types }: PathProfile): string => Object.keys(types).sort().join(' or ');
const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : type === 'null' ? type : `a ${type}`);
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const rounded = (value: number): string => String(Number(value.toPrecision(3)));

function factorInWords(factor: number): string {
  const [times, sign] = factor >= 1 ? [factor, '×'] : [1 / factor, '÷'];
  const round = [10, 100, 1_000].find((each) => Math.abs(Math.log(times / each)) < 0.4);
  return `${sign}${round ?? rounded(times)}`;
}
