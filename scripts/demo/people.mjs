/** @typedef {{ username: string, name: string, title: string }} Person */

/** @type {Person[]} */
export const people = [
  { username: 'mira', name: 'Mira Lindqvist', title: 'Platform engineer' },
  { username: 'jonas', name: 'Jonas Okafor', title: 'Backend developer' },
  { username: 'aiko', name: 'Aiko Tanaka', title: 'Frontend developer' },
  { username: 'rafael', name: 'Rafael Costa', title: 'Mobile developer' },
  { username: 'priya', name: 'Priya Raman', title: 'Data scientist' },
  { username: 'tomasz', name: 'Tomasz Zieliński', title: 'Backend developer' },
  { username: 'lena', name: 'Lena Hofmann', title: 'Frontend developer' },
  { username: 'samuel', name: 'Samuel Mbeki', title: 'Release manager' },
  { username: 'chloe', name: 'Chloé Martin', title: 'Test engineer' },
  { username: 'dimitri', name: 'Dimitri Papadakis', title: 'Security engineer' },
  { username: 'ingrid', name: 'Ingrid Solberg', title: 'Mobile developer' },
  { username: 'noah', name: 'Noah Weiss', title: 'Intern' },
]

export const groups = [
  { path: 'atlas', name: 'Atlas', description: 'The map and everything that draws it' },
  { path: 'atlas/mobile', name: 'Mobile', description: 'The map on phones' },
  { path: 'platform', name: 'Platform', description: 'Machines, images and deployments' },
  { path: 'research', name: 'Research', description: 'Forecasts and the models behind them' },
]

/** Projects that people have starred; `root` is the administrator. @type {Record<string, string[]>} */
export const stars = {
  'atlas/api': ['root', 'jonas', 'tomasz', 'chloe', 'dimitri', 'aiko', 'noah'],
  'atlas/web': ['aiko', 'lena', 'samuel', 'chloe'],
  'atlas/mobile/app': ['rafael', 'ingrid'],
  'platform/infrastructure': ['root', 'mira'],
  'platform/images': ['dimitri'],
  'platform/status-page': ['root', 'mira', 'samuel'],
  'research/forecast': ['priya', 'tomasz'],
}

/** Members of groups and their levels. @type {Record<string, Record<string, number>>} */
export const members = {
  atlas: { jonas: 40, aiko: 40, tomasz: 40, lena: 40, chloe: 40, dimitri: 40, samuel: 40, noah: 20 },
  'atlas/mobile': { rafael: 40, ingrid: 30 },
  platform: { mira: 50, dimitri: 40, samuel: 30 },
  research: { priya: 50, tomasz: 30, noah: 10 },
}
