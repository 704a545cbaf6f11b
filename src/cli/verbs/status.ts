import { statusOf } from '../../app/listings-in-use.ts';
import { nextNight, nightBegins, timeText } from '../../crawl/run/night-time.ts';
import { statusJson } from '../../web/status-json.ts';
import { describeStatus } from '../describe-status.ts';
import { readVerb } from '../read-verb.ts';

export const verb = readVerb({
  async read(_options, base) {
    const status = await statusOf(base);
    const { nightAt } = base.config;
    const nextNights = status.regions.map(({ region, lastNight }) => {
      const date = nextNight(region, status.at, nightAt[region], lastNight);
      return { region, snapshotDate: date, beginsAt: nightBegins(region, date, nightAt[region]) };
    });
    const words = nextNights.map(
      (night) => `${night.region} ${night.snapshotDate} at ${timeText(nightAt[night.region])}`,
    );
    const next = `next nights: ${words.join(', ')}, local time (if \`pricebook start\` runs)\n`;
    return { json: { ...statusJson(status), nextNights }, text: describeStatus(status) + next };
  },
});
