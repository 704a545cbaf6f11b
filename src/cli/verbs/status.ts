import { statusOf } from '../../app/listings-in-use.ts';
import { statusJson } from '../../web/status-json.ts';
import { describeStatus } from '../describe-status.ts';
import { readVerb } from '../read-verb.ts';

export const verb = readVerb({
  async read(_options, base) {
    const status = await statusOf(base);
    return { json: statusJson(status), text: describeStatus(status) };
  },
});
