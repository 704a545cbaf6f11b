/** Minimum share of equal letters for a suggestion. */
const leastLikeness = 0.6;

/** The names, or names with a word, most similar to a word, nearest first. */
export function nearestNames(word: string, names: readonly string[], most = 3): string[] {
  const wanted = word.toLowerCase().trim();
  return [...new Set(names)]
    .map((name) => ({ name, likeness: likenessTo(wanted, name.toLowerCase().trim()) }))
    .filter(({ likeness }) => likeness >= leastLikeness)
    .sort((a, b) => b.likeness - a.likeness || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

function likenessTo(wanted: string, name: string): number {
  const likenesses = [name, ...name.split(/\s+/)].map(
    (each) => 1 - editsBetween(wanted, each) / Math.max(wanted.length, each.length, 1),
  );
  return Math.max(...likenesses);
}

/** Levenshtein distance. */
export function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
