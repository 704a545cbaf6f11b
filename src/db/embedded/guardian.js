// @ts-check
// Owns the lifetime of one embedded server. Every command that uses the server holds one connection to this process;
// the kernel closes it however the command ends, so the server never outlives its last user for long, and never
// dies under one. Plain JavaScript without dependencies: it must start in milliseconds and stay small.
import { readFileSync, unlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { isMember, proofOf } from './handshake.js';
import { createPostmaster } from './postmaster.js';

/** After the last user was lost without a word (a crash): time for its restart to find the server still up. */
const graceMs = 1_000;
/** How soon a killed server is noticed. */
const watchMs = 200;
/** A visitor who does not introduce himself is shown out. */
const introductionMs = 5_000;

/** @type {import('./postmaster.js').Launch} */
const launch = JSON.parse(process.argv[2] ?? '{}');
const password = readFileSync(join(launch.folder, 'password'), 'utf8').trim();
const postmaster = createPostmaster(launch);

/** @typedef {import('node:net').Socket} Socket */
/** Who uses the server, with the handshake number of each. @type {Map<Socket, string>} */
const users = new Map();
/** Users that still wait for the server. @type {Set<Socket>} */
const waiting = new Set();
/** Said goodbye as the last and wait until the server is gone. @type {Set<Socket>} */
const leaving = new Set();
/** @type {NodeJS.Timeout | null} */
let grace = setTimeout(endGrace, introductionMs);
let isSteering = false;
let mustSteerAgain = false;

const door = createServer(welcome);
door.on('error', onDoorTaken);
door.listen(launch.address);

setInterval(watch, watchMs);
process.on('SIGHUP', () => {});
// A whole process group or service is asked to end: its commands drain first, the server goes with the last of them.
for (const name of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(name, endGrace);

/** @param {NodeJS.ErrnoException} error */
function onDoorTaken(error) {
  if (error.code !== 'EADDRINUSE') throw error;
  // Two commands started at once, and the other's guardian was first: it serves both. Or the file is left from one
  // that was killed (only where sockets are files; elsewhere the kernel removes them).
  const probe = connect(launch.address);
  probe.on('connect', () => process.exit(0));
  probe.on('error', () => {
    if (launch.address.startsWith('\0') || process.platform === 'win32') process.exit(0);
    unlinkSync(launch.address);
    door.listen(launch.address);
  });
}

/** @param {Socket} socket */
function welcome(socket) {
  const introduction = setTimeout(() => socket.destroy(), introductionMs);
  let heard = '';
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  socket.on('close', () => {
    clearTimeout(introduction);
    leaving.delete(socket);
    if (drop(socket) && users.size === 0) beginGrace();
  });
  socket.on('data', (chunk) => {
    heard += chunk;
    if (heard.length > 4_096) socket.destroy();
    for (let end = heard.indexOf('\n'); end >= 0; end = heard.indexOf('\n')) {
      const line = heard.slice(0, end);
      heard = heard.slice(end + 1);
      obey(line);
    }
  });

  /** @param {string} line */
  function obey(line) {
    const [verb = '', nonce = '', proof = ''] = line.split(' ');
    if (verb === 'bye') return goodbye(socket);
    if (!isMember(password, nonce, proof)) return socket.destroy();
    clearTimeout(introduction);
    if (verb === 'use') {
      users.set(socket, nonce);
      waiting.add(socket);
      stopGrace();
      steer();
    } else if (verb === 'stop') {
      if (users.size > 0) {
        socket.end(`in-use ${users.size}\n`);
        return;
      }
      leaving.add(socket);
      endGrace();
    }
  }
}

/** @param {Socket} socket */
function goodbye(socket) {
  drop(socket);
  if (users.size > 0) {
    socket.end('gone\n');
    return;
  }
  leaving.add(socket);
  steer();
}

/** @param {Socket} socket */
function drop(socket) {
  waiting.delete(socket);
  return users.delete(socket);
}

function beginGrace() {
  stopGrace();
  grace = setTimeout(endGrace, graceMs);
}

function endGrace() {
  stopGrace();
  steer();
}

function stopGrace() {
  if (grace) clearTimeout(grace);
  grace = null;
}

function watch() {
  if (isSteering) return;
  if (postmaster.isFolderGone()) {
    postmaster.abandon();
    process.exit(0);
  }
  if (users.size > 0 && !postmaster.isAlive()) {
    say('the server is gone; starting it again');
    steer();
  }
}

/** Brings the server to the state its users want, one change at a time, until nobody changes his mind any more. */
async function steer() {
  mustSteerAgain = true;
  if (isSteering) return;
  isSteering = true;
  while (mustSteerAgain) {
    mustSteerAgain = false;
    if (users.size > 0) await bringUp();
    else if (!grace) await bringDown();
  }
  isSteering = false;
}

async function bringUp() {
  try {
    const port = await postmaster.ensure();
    for (const socket of waiting) {
      socket.write(`ready ${port} ${proofOf(password, 'guardian', users.get(socket) ?? '')} ${process.pid}\n`);
    }
    waiting.clear();
    for (const socket of leaving) socket.end('gone\n');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(reason);
    const told = [...users.keys()].map((socket) => tellAndEnd(socket, `failed ${reason.replaceAll('\n', ' ')}\n`));
    users.clear();
    waiting.clear();
    await Promise.all(told);
    // What is wrong may be fixed by the next command; this guardian would go on with what it was told at its start.
    mustSteerAgain = true;
  }
}

async function bringDown() {
  await postmaster.stop();
  if (users.size > 0) {
    mustSteerAgain = true;
    return;
  }
  // They hang up when this process is no more. Whoever knocks from now on finds the door closed, and starts a guardian.
  for (const socket of leaving) socket.write('gone\n');
  process.exit(0);
}

/**
 * @param {Socket} socket
 * @param {string} words
 * @returns {Promise<void>}
 */
function tellAndEnd(socket, words) {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    socket.end(words);
  });
}

/** @param {string} what */
function say(what) {
  process.stderr.write(`${new Date().toISOString()} ${what}\n`);
}
