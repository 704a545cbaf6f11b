// @ts-check
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Proves that the speaker knows the instance's password without saying it: on some systems any local user could
 * knock at the guardian's door, or pretend to be the guardian.
 * @param {string} password
 * @param {'command' | 'guardian'} speaker
 * @param {string} nonce
 */
export function proofOf(password, speaker, nonce) {
  return createHmac('sha256', password).update(`${speaker} ${nonce}`).digest('hex');
}

/**
 * @param {string} password
 * @param {string} nonce
 * @param {string} proof
 */
export function isMember(password, nonce, proof) {
  return isSame(proof, proofOf(password, 'command', nonce));
}

/**
 * @param {string} password
 * @param {string} nonce
 * @param {string} proof
 */
export function isGuardian(password, nonce, proof) {
  return isSame(proof, proofOf(password, 'guardian', nonce));
}

/**
 * @param {string} given
 * @param {string} expected
 */
function isSame(given, expected) {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
