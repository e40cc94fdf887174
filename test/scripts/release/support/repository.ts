import type { Repository, Texts } from '../../../../scripts/release/plan.mjs'

/** Files of a small package with the version 0.1.0. */
export const TEXTS: Texts = {
  'CHANGELOG.md':
    '# Changelog\n\nText.\n\n## [Unreleased]\n\n### Added\n\n- One thing.\n\n## [0.1.0] - 2026-01-31\n\n- The first.\n',
  Dockerfile: 'FROM node:20\nLABEL org.opencontainers.image.version="0.1.0"\nUSER node\n',
  'package.json': '{\n  "name": "switchyard",\n  "version": "0.1.0"\n}\n',
  'package-lock.json': `${JSON.stringify(
    {
      name: 'switchyard',
      version: '0.1.0',
      packages: { '': { version: '0.1.0' }, 'node_modules/one': { version: '0.1.0' } },
    },
    undefined,
    2,
  )}\n`,
}

export function repository(state: Partial<Repository> = {}): Repository {
  return { branch: 'main', head: '1f'.repeat(20), changes: '', tags: [''], texts: TEXTS, ...state }
}
