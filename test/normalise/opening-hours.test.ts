import { expect, it } from 'vitest';
import { readOpeningHours } from '../../src/source/normalise/opening-hours.ts';

it('Opening hours are read as 24-hour times, midnight and noon included', () => {
  expect(readOpeningHours('08:00AM-10:30PM')).toEqual({ opens: '08:00', closes: '22:30' });
  expect(readOpeningHours('12:00AM-12:00PM')).toEqual({ opens: '00:00', closes: '12:00' });
  expect(['Closed', '', null, '25:00AM-10:00PM', '08:00-22:00'].map(readOpeningHours)).toEqual(Array(5).fill(null));
});
