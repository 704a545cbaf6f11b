import { DayTicks, Drawing, Hatching, plot } from './frame.tsx';
import { linear } from './scale.ts';
import { axisOf, type ChartNights, type Spell, segmentsOf } from './steps.ts';

/** States, most available first: name, label and height in pixels. Height distinguishes them without colour. */
const states = [
  ['available', 'available', 32],
  ['unavailable', 'listed, not for sale', 18],
  ['absent', 'not listed, one night', 8],
  ['delisted', 'not listed', 3],
] as const;

interface AvailabilityStripProps {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly nights: ChartNights;
  readonly spells: readonly Spell<string>[];
}

/** Availability of a product by night. Nights without a certificate are hatched. */
export function AvailabilityStrip({ id, title, description, nights, spells }: AvailabilityStripProps) {
  const axis = axisOf(nights);
  const segments = segmentsOf(spells, axis);
  const x = linear([axis.from, axis.to], [plot.left, plot.right]);
  const bottom = 44;
  const shown = states.filter(([state]) => segments.some(({ value }) => value === state));
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <ul class="key">
        {shown.map(([state, name, height]) => (
          <li key={state}>
            <svg width="20" height="32" aria-hidden="true">
              <path class={`state ${state}`} d={`M0 ${32 - height}H20V32H0Z`} />
            </svg>{' '}
            {name}
          </li>
        ))}
      </ul>
      <Drawing id={id} title={title} description={description} height={68}>
        <Hatching id={id} gaps={axis.gaps} x={x} top={plot.top} bottom={bottom} />
        {shown.map(([state, , height]) => (
          <path
            key={state}
            class={`state ${state}`}
            d={segments
              .filter(({ value }) => value === state)
              .map(({ from, to }) => `M${x(from)} ${bottom - height}H${x(to)}V${bottom}H${x(from)}Z`)
              .join('')}
          />
        ))}
        <DayTicks days={axis} x={x} y={62} />
      </Drawing>
    </figure>
  );
}
