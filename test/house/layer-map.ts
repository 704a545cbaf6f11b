/** The rooms of the program, the highest first. A room imports from rooms below it only. */
export const rooms: readonly string[] = [
  'src/cli',
  'src/web',
  'src/app',
  'jobs',
  'src/questions',
  'src/followers',
  'src/publish',
  'src/crawl',
  'src/gateway',
  'src/source',
  'src/db',
  'src/base',
];
