/** `75` as `1 min 15 s`; at most two units. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  const parts = hours > 0 ? { h: hours, min: minutes } : { min: minutes, s: whole % 60 };
  return Object.entries(parts)
    .flatMap(([unit, value]) => (value === 0 ? [] : [`${value} ${unit}`]))
    .join(' ');
}
