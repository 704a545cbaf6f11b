import type { JSX } from 'preact';
import type { Delivery } from '../../followers/watches/watch-lists.ts';
import type { Moment, RefusedForm, Table } from '../page.ts';
import { Card } from '../parts.tsx';
import { plural, text } from '../words.ts';
import { Fault, faultOf } from './watch-form.tsx';
import type { List } from './watch-queries.ts';
import { listName } from './watch-words.tsx';

interface ListsProps {
  readonly lists: Table<List>;
  readonly chosen: string | undefined;
  readonly at: Moment;
  href(list: string): string;
}

/** How people are told, and the lists with their feeds. */
export function ListsCard({ lists, chosen, at, href }: ListsProps): JSX.Element {
  const { delivery, refused } = at;
  /** A refused form names its list. */
  const refusedOf = ({ list }: List) => (list === chosen ? refused : null);
  // A mailbox can be set before the first rule.
  const shown = lists.rows.length > 0 ? lists.rows : [{ list: chosen ?? 'prices', rules: 0, came_true: 0 }];
  return (
    <Card title="How you are told">
      {delivery && <DeliveryWords of={delivery} />}
      <ul class="offers lists">
        {shown.map((list) => (
          <li key={list.list}>
            <div class="sub">
              <a class="name" href={href(list.list)} aria-current={list.list === chosen ? 'true' : undefined}>
                {listName(list.list)}
              </a>
              <span>{plural(list.rules, 'watch', 'watches')}</span>
              {list.rules > 0 && <a href={`/watch/${list.list}.atom`}>Atom feed of {listName(list.list)}</a>}
            </div>
            {delivery?.destination?.kind === 'mail' && (
              <Mailbox list={list.list} delivery={delivery} at={at} refused={refusedOf(list)} />
            )}
            {list.rules > 0 && (
              <details open={refusedOf(list)?.field === 'name'}>
                <summary>Rename or remove {listName(list.list)}</summary>
                <Renamed list={list} at={at} refused={refusedOf(list)} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Whether anything is sent, and where to. */
function DeliveryWords({ of: { destination } }: { of: Delivery }): JSX.Element {
  const here = 'This page marks what came true since your last visit, and each list has a feed for feed readers.';
  if (destination === null)
    return (
      <>
        <p>No e-mail is sent yet: ask whoever runs this explorer to set it up. {here}</p>
        <details>
          <summary>If you run it: set up e-mail</summary>
          <p class="quiet">
            Start the program with the address of your mail server, and this page asks where to write:
          </p>
          <pre class="wrapped">
            ALERT_URL="smtps://user:password@mail.example.com/?from=me@example.com&amp;to=me@example.com"
          </pre>
        </details>
      </>
    );
  if (destination.kind === 'webhook')
    return (
      <p>
        After each night, one message for each list with news goes to the webhook at {text(destination.host)}. {here}
      </p>
    );
  return <p>After each night, one e-mail for each list with news. {here}</p>;
}

interface MailboxProps {
  readonly list: string;
  readonly delivery: Delivery;
  readonly at: Moment;
  readonly refused: RefusedForm | null;
}

function Mailbox({ list, delivery, at, refused }: MailboxProps): JSX.Element {
  const own = delivery.mailboxes.get(list);
  const usual = delivery.destination?.kind === 'mail' ? delivery.destination.addresses.join(', ') : '';
  return (
    <form class="filters" method="post" action="/watch">
      <input type="hidden" name="_csrf" value={at.csrf ?? ''} />
      <input type="hidden" name="list" value={list} />
      <label>
        E-mail for {listName(list)} (if empty: {text(usual)})
        <input
          name="address"
          type="email"
          maxLength={254}
          value={own ?? ''}
          autocomplete="email"
          {...faultOf(refused, 'address')}
        />
        <Fault of={refused} field="address" />
      </label>
      <button class="plain" type="submit" name="mailbox" value={list}>
        Save
      </button>
    </form>
  );
}

function Renamed({
  list: { list },
  at,
  refused,
}: {
  list: List;
  at: Moment;
  refused: RefusedForm | null;
}): JSX.Element {
  return (
    <form class="filters" method="post" action="/watch">
      <input type="hidden" name="_csrf" value={at.csrf ?? ''} />
      <input type="hidden" name="list" value={list} />
      <label>
        Name
        <input name="name" value={listName(list)} maxLength={40} {...faultOf(refused, 'name')} />
        <Fault of={refused} field="name" />
      </label>
      <button class="plain" type="submit" name="rename" value={list}>
        Rename
      </button>
      <button class="plain" type="submit" name="drop" value={list}>
        Remove with all its watches
      </button>
    </form>
  );
}
