import { spawnSync } from 'node:child_process';
import { EmbeddedServerFailed } from '../../base/errors.ts';

/** An operating-system user by number. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const userName = 'postgres';

/** The `postgres` user, created if missing, because PostgreSQL refuses to run as root. Only for root. */
export function postgresUser(): ServerUser {
  const user = findUser() ?? makeUser();
  if (user) return user;
  throw new EmbeddedServerFailed(`it may not run as root, and the user ${userName} could not be created`, {
    advice: `Create a user named ${userName}, run pricebook as an ordinary user, or set DATABASE_URL.`,
  });
}

/**
 * Whether the user can read and enter a path. Tested by running a program, because modes do not include access lists
 * and mounts.
 */
export function canUse(user: ServerUser, path: string): boolean {
  const probe = spawnSync('/bin/sh', ['-c', 'test -x "$1" && test -r "$1"', 'sh', path], {
    ...user,
    cwd: '/',
    env: {},
    stdio: 'ignore',
  });
  return probe.status === 0;
}

function findUser(): ServerUser | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, userName], { encoding: 'utf8' }));
  return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null;
}

/** The second program is that of Alpine Linux. */
function makeUser(): ServerUser | null {
  const script = 'useradd --system --user-group --no-create-home "$1" || adduser -S -D -H "$1"';
  spawnSync('/bin/sh', ['-c', script, 'sh', userName], {
    stdio: 'ignore',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
  return findUser();
}
