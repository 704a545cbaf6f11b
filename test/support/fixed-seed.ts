import fc from 'fast-check';

// Makes failing properties reproducible. `SEED=random` tries other values.
if (process.env['SEED'] !== 'random') fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) });
