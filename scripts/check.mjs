// `npm run check [-- FILES]`: type check and lint. Both use the same compiler, so types are computed only once. As
// separate programs they take twice as long.
import { ESLint } from 'eslint'
import ts from 'typescript'

import { command } from './setup/command.mjs'
import { root } from './setup/root.mjs'

/** @type {ts.FormatDiagnosticsHost} */
const formatHost = {
  getCurrentDirectory: () => root,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
}

await command(async () => {
  const program = loadProgram()
  const isTyped = reportTypes(program)
  const isLinted = await reportLint(program, process.argv.slice(2))
  return isTyped && isLinted ? 0 : 1
})

function loadProgram() {
  /** @type {ts.ParseConfigFileHost} */
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.formatDiagnostic(diagnostic, formatHost))
    },
  }
  const config = ts.getParsedCommandLineOfConfigFile(`${root}/tsconfig.json`, {}, host)
  if (!config) throw new Error('tsconfig.json cannot be read')
  return ts.createProgram(config.fileNames, config.options)
}

/**
 * @param {ts.Program} program
 * @returns {boolean} whether there is nothing to report
 */
function reportTypes(program) {
  const diagnostics = ts.getPreEmitDiagnostics(program)
  process.stdout.write(ts.formatDiagnostics(diagnostics, formatHost))
  return diagnostics.length === 0
}

/**
 * @param {ts.Program} program
 * @param {string[]} files
 * @returns {Promise<boolean>} whether there is nothing to report, warnings included
 */
async function reportLint(program, files) {
  const parserOptions = { programs: [program], projectService: false }
  const eslint = new ESLint({ overrideConfig: { languageOptions: { parserOptions } } })
  const results = await eslint.lintFiles(files.length > 0 ? files : ['.'])
  const formatter = await eslint.loadFormatter('stylish')
  process.stdout.write(await formatter.format(results))
  return results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0)
}
