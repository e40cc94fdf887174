/**
 * A rule of the linter, and what the rules of this folder use of the context that the linter creates it with.
 * @typedef {object} Rule
 * @property {{ type: 'problem', messages: { refused: string } }} meta
 * @property {(context: RuleContext) => import('rolldown/utils').VisitorObject} create
 *
 * @typedef {object} RuleContext
 * @property {string} cwd root of the repository
 * @property {string} filename absolute path
 * @property {(report: Report) => void} report
 *
 * @typedef {object} Report
 * @property {import('rolldown/utils').ESTree.Span} node
 * @property {'refused'} messageId
 * @property {{ reason: string }} data
 */
export {}
