/** @typedef {import('./runner.mjs').SystemKind} SystemKind */

/**
 * @typedef {object} RunnerPlan
 * @property {string} description
 * @property {SystemKind} kind
 * @property {string[]} tags
 * @property {string} [architecture]
 * @property {boolean} [untagged] takes jobs without tags
 * @property {string} [group] path of its group; a runner of the instance without group and project
 * @property {string} [project] path of its project
 * @property {string[]} [managers] names of its machines; one by default
 * @property {number} [slots] concurrent jobs of each machine
 * @property {'19.3.0' | '19.1.2' | '18.9.0'} [version]
 * @property {'paused' | 'offline' | 'stale' | 'never'} [state] other than online
 * @property {boolean} [isProtected] takes jobs of protected refs only
 * @property {string} [note] for administrators
 */

/**
 * @param {number} count
 * @param {(number: string) => RunnerPlan} planOf
 */
const numbered = (count, planOf) =>
  Array.from({ length: count }, (_none, index) => planOf(String(index + 1).padStart(2, '0')))

/** @type {Record<string, Pick<RunnerPlan, 'state' | 'version' | 'note'>>} */
const special = {
  'docker-03': { state: 'paused', note: 'The disk is being replaced.' },
  'docker-07': { state: 'offline' },
  'docker-11': { version: '19.1.2' },
  'docker-12': { version: '18.9.0' },
  'arm-04': { state: 'offline' },
  'mac-mini-03': { state: 'stale' },
  'mac-mini-05': { state: 'paused' },
  'windows-02': { state: 'stale' },
  'gpu-03': { state: 'offline' },
  'atlas-shared-04': { state: 'stale' },
}

/** @type {RunnerPlan[]} */
const plans = [
  ...numbered(12, (number) => ({
    description: `docker-${number}`,
    kind: 'docker',
    tags: ['docker', 'linux'],
    untagged: true,
    slots: 2,
  })),
  {
    description: 'autoscaling group, large machines',
    kind: 'kubernetes',
    tags: ['kubernetes', 'large', 'linux'],
    managers: ['large-7c9f4', 'large-b81d0', 'large-e02a6', 'large-f5532', 'large-0d9e1', 'large-3aa47'],
    slots: 3,
  },
  ...numbered(4, (number) => ({
    description: `arm-${number}`,
    kind: 'docker',
    architecture: 'arm64',
    tags: ['docker', 'arm64'],
    slots: 2,
  })),
  ...numbered(5, (number) => ({
    description: `mac-mini-${number}`,
    kind: 'macos',
    architecture: 'arm64',
    tags: ['macos', 'xcode-18'],
    group: 'atlas/mobile',
  })),
  ...numbered(2, (number) => ({
    description: `windows-${number}`,
    kind: 'windows',
    tags: ['windows'],
    version: '19.1.2',
  })),
  ...numbered(3, (number) => ({
    description: `gpu-${number}`,
    kind: 'docker',
    tags: ['gpu', 'cuda-13'],
    group: 'research',
  })),
  ...numbered(2, (number) => ({
    description: `deploy-${number}`,
    kind: 'shell',
    tags: ['deploy'],
    isProtected: true,
    slots: 2,
  })),
  ...numbered(4, (number) => ({
    description: `atlas-shared-${number}`,
    kind: 'docker',
    tags: ['docker', 'linux', 'atlas'],
    untagged: true,
    group: 'atlas',
    slots: 2,
  })),
  { description: 'benchmarks', kind: 'shell', tags: ['bench', 'quiet'], project: 'atlas/api' },
  {
    description: 'image-builder',
    kind: 'docker',
    tags: ['buildkit'],
    project: 'platform/images',
    slots: 4,
  },
  {
    description: 'image-builder, spare',
    kind: 'docker',
    tags: ['buildkit'],
    project: 'platform/images',
    state: 'paused',
  },
  {
    description: 'terraform',
    kind: 'docker',
    tags: ['terraform'],
    project: 'platform/infrastructure',
    slots: 3,
  },
  { description: 'new office, rack 2', kind: 'docker', tags: ['docker', 'office'], state: 'never' },
  {
    description: 'device lab',
    kind: 'shell',
    tags: ['android-device'],
    group: 'atlas/mobile',
    state: 'never',
  },
]

/** The runners of the demo. */
export const fleet = plans.map((plan) => ({ ...plan, ...special[plan.description] }))
