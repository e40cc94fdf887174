/** Maximum size of a configuration (CI language, 1.2 and 18). */
export const limits = {
  /** Bytes of one file, and the estimated size of its tree with every alias counted each time. */
  yamlBytes: 2_097_152,
  /** Words, signs, blanks and line ends of a document that is not of the simple kind (yaml/simple/read-simple-document.ts). */
  yamlLexemes: 150_000,
  /** Maps and lists inside one another. */
  yamlDepth: 100,
  /** Characters of one parsed file in the cache, and of all. */
  keptFile: 256 * 1024,
  keptFiles: 1024 * 1024,
  yamlDocuments: 2,
  /** Length of the chain of entries with `extends` above a base. */
  extendsAbove: 10,
  /** Map entries that resolving `extends` copies, and the estimated size of the result. */
  extendedEntries: 500_000,
  extendedBytes: 64 * 1024 * 1024,
  /** Levels of lists of a keyword that flattens. */
  nestedLists: 10,
  nameLength: 255,
  tags: 50,
  needs: 50,
  timeoutSeconds: 30 * 86_400,
  startInSeconds: 7 * 86_400,
  retries: 2,
  exposeAsLength: 100,
  /** Instances of one job. */
  parallel: 200,
  /** Instances that `parallel` creates in all jobs together, and the variables from their matrices. */
  allInstances: 10_000,
  allMatrixVariables: 200_000,
  /** Names in `needs` and `dependencies` of all jobs together, after expansion to instances. */
  allNeeds: 500_000,
  /** Needs in other pipelines, and separately those in other projects. */
  foreignNeeds: 5,
  childIncludes: 3,
  jobInputs: 50,
  patternLength: 4096,
  /** Elements of one regular expression with its repetitions expanded, and of all cached expressions. */
  patternElements: 4096,
  keptPatternElements: 100_000,
  /** Elements of all regular expressions in one file, and elements times characters of the searched texts. */
  patternElementsOfAll: 20_000,
  patternSteps: 50_000_000,
  /** Words and signs of one expression. */
  expressionTokens: 100,
  /** Entries of one `changes` or `exists`. */
  globs: 50,
  /** Patterns times paths of one condition; above this limit the condition is true without a comparison. */
  globComparisons: 50_000,
  /** Total cost of all conditions; one comparison of the start or end of a path costs 1. */
  globCost: 5_000_000,
  /** Inputs set for a pipeline, and options of one input (CI language, 5.2). */
  pipelineInputs: 20,
  inputOptions: 50,
  /** Characters of a text that is converted to an input of another type. */
  inputText: 65_536,
  /** `$[[ … ]]` (CI language, 5.3): bytes, keys, positions after a key, functions of one, distinct ones of a file. */
  blockBytes: 1024,
  blockSegments: 5,
  blockIndexes: 5,
  blockFunctions: 3,
  blocks: 10_000,
  /** Characters of one scalar, and of all text that interpolation inserts into a file. */
  interpolatedScalar: 1024 * 1024,
  interpolatedBytes: 16 * 1024 * 1024,
  /** Included files, counting nested and repeated ones; bytes of all; seconds for all (CI language, 4.6). */
  includes: 150,
  includedBytes: 8 * 1024 * 1024,
  includeSeconds: 30,
  /** Map entries copied while included files are merged. */
  mergedEntries: 1_000_000,
  /** Problems with a suggestion, words of one that get one, their length, and words that are compared with each. */
  suggestions: 5,
  suggestedWords: 2,
  suggestedLength: 64,
  suggestedAmong: 2000,
  /** Maximum number of reported problems. */
  problems: 100,
  problemCharacters: 1024 * 1024,
  /** Script lines and variables of all jobs together, defaults included. */
  plannedLines: 1_000_000,
  /** Characters that references to variables are replaced by, all jobs together. */
  expandedCharacters: 16 * 1024 * 1024,
} as const
