import fc from 'fast-check';

// A property that fails fails for everybody, and again. `SEED=random` searches further.
if (process.env['SEED'] !== 'random') fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) });
