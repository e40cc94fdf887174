import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * @typedef {object} CommitPlan
 * @property {string} branch
 * @property {number} time milliseconds since 1970
 * @property {{ name: string, username: string }} author
 * @property {string} message
 * @property {Record<string, string>} files that change
 */

/** A local repository whose commits have the dates of the demo. */
export class DemoRepository {
  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder
  }

  /**
   * Makes the commits of a project, in the order of their times. A branch begins at what `main` is then.
   * @param {string} folder
   * @param {CommitPlan[]} commits
   * @returns {Promise<{ repository: DemoRepository, ids: string[] }>} `ids` of the commits
   */
  static async create(folder, commits) {
    await mkdir(folder, { recursive: true })
    await run('git', ['init', '--quiet', '--bare', folder])
    const marks = `${folder}/marks`
    const child = spawn('git', ['fast-import', '--quiet', '--force', `--export-marks=${marks}`], {
      cwd: folder,
      stdio: ['pipe', 'inherit', 'inherit'],
    })
    child.stdin.end(importStream(commits))
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`git fast-import ended with ${String(code)}`)
    const lines = (await readFile(marks, 'utf8')).trim().split('\n')
    const byMark = new Map(lines.map((line) => /** @type {[string, string]} */ (line.split(' '))))
    return {
      repository: new DemoRepository(folder),
      ids: commits.map((_commit, index) => byMark.get(`:${index + 1}`) ?? ''),
    }
  }

  /**
   * @param {string} address with credentials
   * @param {string[]} refspecs
   * @param {string[]} [options] push options
   */
  async push(address, refspecs, options = []) {
    const given = options.map((option) => `--push-option=${option}`)
    await run('git', ['push', '--quiet', ...given, address, ...refspecs], { cwd: this.folder })
  }
}

/** @param {CommitPlan[]} commits */
function importStream(commits) {
  /** @type {Map<string, number>} */
  const heads = new Map()
  const parts = commits.map(({ branch, time, author, message, files }, index) => {
    const mark = index + 1
    const parent = heads.get(branch) ?? heads.get('main')
    heads.set(branch, mark)
    const who = `${author.name} <${author.username}@atlas.example> ${Math.floor(time / 1000)} +0000`
    return [
      `commit refs/demo/${branch}\nmark :${mark}\nauthor ${who}\ncommitter ${who}\n${dataOf(message)}`,
      parent === undefined ? '' : `from :${parent}\n`,
      ...Object.entries(files).map(
        ([path, text]) => `M ${path.endsWith('.sh') ? '100755' : '100644'} inline ${path}\n${dataOf(text)}`,
      ),
      '\n',
    ].join('')
  })
  return parts.join('')
}

/** @param {string} text */
const dataOf = (text) => `data ${Buffer.byteLength(text)}\n${text}\n`
