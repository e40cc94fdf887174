import type { Problem } from '../errors.js'
import { PatternWork } from '../expressions/pattern-work.js'

/**
 * A spot in the configuration, and the list that its problems go to. A problem reads `<location> <attribute> <message>`,
 * in small letters throughout (CI language, 1.3), and carries the keys that really lead to it.
 */
export class Place {
  private constructor(
    /** What messages call it: keys from the top, joined with `:`, list items by their singular names. */
    readonly path: string,
    private readonly label: string,
    /** Keys from the top of the file, and positions in lists. */
    private readonly keys: readonly string[],
    private readonly problems: Problem[],
  ) {}

  /** A key at the top of the file. */
  static top(key: string, problems: Problem[]): Place {
    return new Place(key, `${key} config`, [key], problems)
  }

  /** The jobs, which stand at the top of the file themselves: `jobs:rspec` is the key `rspec`. */
  static jobs(problems: Problem[]): Place {
    return new Place('jobs', 'jobs config', [], problems)
  }

  /** A spot that is not at the top; `path` is what messages call it. */
  static at(keys: readonly string[], path: string, problems: Problem[]): Place {
    return new Place(path, `${path} config`, keys, problems)
  }

  /** A key whose value is an entry of its own: `jobs:rspec:image config …`. */
  child(key: string): Place {
    return this.entry(key, [key])
  }

  /**
   * An entry of a list, called by its singular name: `jobs:rspec:needs:need config …`. `position` leads to it from the
   * list: one number, or several in lists inside lists (`flatItems`).
   */
  item(singular: string, position: readonly string[]): Place {
    return this.entry(singular, position)
  }

  /** A key whose value belongs to this entry: `jobs:rspec:artifacts expire in …`. */
  attribute(key: string, shown = key.replaceAll('_', ' ')): Place {
    return new Place(`${this.path}:${key}`, `${this.path} ${shown}`, [...this.keys, key], this.problems)
  }

  /** The same spot under another name in messages. */
  called(path: string): Place {
    return new Place(path, `${path} config`, this.keys, this.problems)
  }

  /** Answers null, so that a reader can end with it. `keys` lead on from here to what is wrong. */
  refuse(message: string, ...keys: string[]): null {
    return this.add(`${this.label} ${message}`.toLowerCase(), keys)
  }

  /** For a value that is none of several kinds: the message follows the path itself. */
  refuseKind(message: string, ...keys: string[]): null {
    return this.add(`${this.path} ${message}`.toLowerCase(), keys)
  }

  /** What the regular expressions of the same reading come to. */
  get patterns(): PatternWork {
    return PatternWork.of(this.problems)
  }

  /** Problems found so far, anywhere: two counts tell whether something in between was refused. */
  problemCount(): number {
    return this.problems.length
  }

  private entry(name: string, keys: readonly string[]): Place {
    const path = `${this.path}:${name}`
    return new Place(path, `${path} config`, [...this.keys, ...keys], this.problems)
  }

  private add(message: string, keys: readonly string[]): null {
    this.problems.push({ message, path: [...this.keys, ...keys] })
    return null
  }
}
