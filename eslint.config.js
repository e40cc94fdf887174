import js from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import importSort from 'eslint-plugin-simple-import-sort'
import tseslint from 'typescript-eslint'

import { importCircles } from './scripts/lint/import-circles.mjs'
import { roomImports } from './scripts/lint/room-imports.mjs'
import { tableWrites } from './scripts/lint/table-writes.mjs'

export default defineConfig(
  globalIgnores(['dist/', 'coverage/', 'node_modules/', '.switchyard/']),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: {
      'simple-import-sort': importSort,
      switchyard: {
        rules: {
          'import-circles': importCircles,
          'room-imports': roomImports,
          'table-writes': tableWrites,
        },
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // The type check knows better what is defined.
      'no-undef': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      'simple-import-sort/imports': 'error',
      'simple-import-sort/exports': 'error',
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      'switchyard/import-circles': 'error',
      'switchyard/room-imports': 'error',
      'switchyard/table-writes': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // `async` also promises that a throw becomes a rejection, with or without an `await` inside.
      '@typescript-eslint/require-await': 'off',
      // For an index that the loop around it has checked.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Kysely's expression builders are made to be taken apart.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // It is marked so as to stand out: without it the client speaks https alone, and tests are on the loopback.
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-deprecated': [
        'error',
        { allow: [{ from: 'package', package: 'openid-client', name: 'allowInsecureRequests' }] },
      ],
    },
  },
  {
    files: ['scripts/**', 'src/cli/**', 'test/bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // A cast in a comment is seen by the type check alone.
    files: ['**/*.mjs', '*.js'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: [
      '*.config.*',
      'test/support/*-setup.ts',
      'test/support/sequencer.ts',
      'test/support/slowest-reporter.ts',
    ],
    rules: { 'no-restricted-exports': 'off' },
  },
)
