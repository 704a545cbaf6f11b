import { statusOf } from '../../app/listings-in-use.ts';
import { nextNight, timeText } from '../../crawl/run/night-time.ts';
import { statusJson } from '../../web/status-json.ts';
import { describeStatus } from '../describe-status.ts';
import { readVerb } from '../read-verb.ts';

export const verb = readVerb({
  async read(_options, base) {
    const status = await statusOf(base);
    const { nightAt } = base.config;
    const nights = status.regions.map(
      ({ region, lastNight }) =>
        `${region} ${nextNight(region, status.at, nightAt[region], lastNight)} at ${timeText(nightAt[region])}`,
    );
    const next = `next nights: ${nights.join(', ')} (while \`pricebook start\` runs)\n`;
    return { json: statusJson(status), text: describeStatus(status) + next };
  },
});
