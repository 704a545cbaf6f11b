import fc from 'fast-check';

// Makes failing properties reproducible. `.ci/run` draws another seed each time and prints it.
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) });
