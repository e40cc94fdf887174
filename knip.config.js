/** `knip --production` looks at what the product runs alone: the entries and files with a `!`. */
const isProduction = process.argv.includes('--production')

/**
 * Finds files, exports and packages that nothing uses.
 * @type {import('knip').KnipConfig}
 */
export default {
  entry: [
    'src/web/main.tsx!',
    // `import.meta.glob` finds them (src/web/page-modules.ts).
    'src/web/pages/**/page.tsx!',
    'src/web/vite.config.ts',
    'scripts/*.mjs',
    'scripts/demo/main.mjs',
    'scripts/release/*.mjs',
    // `npm run dev` loads them instead of modules of src.
    'scripts/dev/replaced/*.mjs',
    'test/bench/main.mjs',
    // Processes of their own, and a module that one of them loads before its own.
    'test/bench/{bare-*,loop-delay}.mjs',
  ],
  project: ['src/**!', 'scripts/**', 'test/**', '*.{js,ts}'],
  // A test may import what its file uses; what only tests use is not part of the product.
  ignoreExportsUsedInFile: isProduction,
  ignoreDependencies: [
    // Read as files: `require.resolve` gives the path (src/coordinator/http/openapi/api-page.ts).
    'swagger-ui-dist',
    // As a file too (test/pages/support/accessibility.ts).
    'axe-core',
    // Packages that a test writes into a temporary folder (test/runner/executor/require-later.test.ts).
    'light',
    'heavy',
  ],
  // The function `up` of a migration is called through the object that lists all of them.
  ignoreIssues: { 'src/coordinator/database/migrations/{0*/index,0*}.ts': ['exports'] },
  // Programs of the system and of Docker images, which no package brings.
  exclude: ['binaries'],
}
