import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'

import { runGit } from './plain-git.mjs'

const BYTES = 20_000
const FILES_PER_FOLDER = 100

/** A repository of many files that do not compress, without a work tree, and the place it is pushed to. */
export class LargeRepository {
  /**
   * @param {string} folder
   * @param {string} address
   */
  constructor(folder, address) {
    this.folder = folder
    this.address = address
  }

  /**
   * @param {string} folder
   * @param {string} address with credentials
   * @param {number} files of 20 kB
   */
  static async create(folder, address, files) {
    await runGit(['init', '--quiet', '--bare', '--initial-branch=main', folder])
    const repository = new LargeRepository(folder, address)
    await repository.commit(
      '',
      Array.from({ length: files }, (_, number) => number),
    )
    return repository
  }

  /** Changes one file, pushes, and returns the commit. */
  async change() {
    return await this.commit('from refs/heads/main^0\n', [0])
  }

  /**
   * @param {string} parent
   * @param {number[]} numbers of the files that the commit writes
   */
  async commit(parent, numbers) {
    const child = spawn('git', ['fast-import', '--quiet'], {
      cwd: this.folder,
      stdio: ['pipe', 'inherit', 'inherit'],
    })
    const closed = once(child, 'close')
    const head = `commit refs/heads/main\ncommitter Bench <bench@example.com> 0 +0000\ndata 0\n${parent}`
    child.stdin.write(head)
    for (const number of numbers) {
      const path = `${Math.floor(number / FILES_PER_FOLDER / 25)}/${Math.floor(number / FILES_PER_FOLDER)}/${number}`
      child.stdin.write(`M 100644 inline ${path}\ndata ${BYTES}\n`)
      if (!child.stdin.write(randomBytes(BYTES))) await once(child.stdin, 'drain')
      child.stdin.write('\n')
    }
    child.stdin.end()
    const [code] = /** @type {[number | null]} */ (await closed)
    if (code !== 0) throw new Error(`git fast-import ended with ${String(code)}`)
    const push = ['push', '--quiet', '--force', '--push-option=ci.skip', this.address, 'main']
    await runGit(push, this.folder)
    return await runGit(['rev-parse', 'main'], this.folder)
  }
}
