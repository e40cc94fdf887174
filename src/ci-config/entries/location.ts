import type { Problem } from '../errors.js'
import { PatternWork } from '../expressions/pattern-work.js'
import type { Suggestion } from '../suggestion.js'

/**
 * A location in the configuration, and the list that collects its problems. A problem reads `<location>
 * <attribute> <message>`, in lowercase (CI language, 1.3), and contains the real keys that lead to it.
 */
export class Location {
  private constructor(
    /** The location in messages: keys from the top, joined with `:`, list items by their singular names. */
    readonly path: string,
    private readonly label: string,
    /** Keys from the top of the file, and positions in lists. */
    private readonly keys: readonly string[],
    private readonly problems: Problem[],
    private readonly suggestion?: Suggestion,
  ) {}

  /** A key at the top of the file. */
  static top(key: string, problems: Problem[]): Location {
    return new Location(key, `${key} config`, [key], problems)
  }

  /** The jobs are at the top level of the file: `jobs:rspec` is the key `rspec`. */
  static jobs(problems: Problem[]): Location {
    return new Location('jobs', 'jobs config', [], problems)
  }

  /** A location that is not at the top; `path` is its name in messages. */
  static at(keys: readonly string[], path: string, problems: Problem[]): Location {
    return new Location(path, `${path} config`, keys, problems)
  }

  /** A key whose value is a separate entry: `jobs:rspec:image config …`. */
  child(key: string): Location {
    return this.entry(key, [key])
  }

  /**
   * An entry of a list, with its singular name: `jobs:rspec:needs:need config …`. `position` is its index, or
   * several in nested lists (`flatItems`).
   */
  item(singular: string, position: readonly string[]): Location {
    return this.entry(singular, position)
  }

  /** A key whose value belongs to this entry: `jobs:rspec:artifacts expire in …`. */
  attribute(key: string, shown = key.replaceAll('_', ' ')): Location {
    return new Location(`${this.path}:${key}`, `${this.path} ${shown}`, [...this.keys, key], this.problems)
  }

  /** This location, for a problem with words that may be misspelled. */
  suggesting(suggestion: Suggestion): Location {
    return new Location(this.path, this.label, this.keys, this.problems, suggestion)
  }

  /** This location with another name in messages. */
  called(path: string): Location {
    return new Location(path, `${path} config`, this.keys, this.problems)
  }

  /**
   * Records a problem and returns null, for use in a return statement. `keys` lead from here to the problem.
   */
  refuse(message: string, ...keys: string[]): null {
    return this.add(`${this.label} ${message}`.toLowerCase(), keys)
  }

  /** For a part of this entry that messages call `shown`; `keys` lead from here to the problem. */
  refuseShown(shown: string, message: string, ...keys: string[]): null {
    return this.add(`${this.path} ${shown} ${message}`.toLowerCase(), keys)
  }

  /** For the few messages of the language without a location. */
  refuseWithoutPath(message: string): null {
    return this.add(message, [])
  }

  /** For a value that has none of the expected types: the message follows the path itself. */
  refuseKind(message: string, ...keys: string[]): null {
    return this.add(`${this.path} ${message}`.toLowerCase(), keys)
  }

  /** The cost of the regular expressions in the same compilation. */
  get patterns(): PatternWork {
    return PatternWork.of(this.problems)
  }

  /**
   * Number of problems found so far, anywhere. Comparing two counts shows whether a step has refused
   * something.
   */
  problemCount(): number {
    return this.problems.length
  }

  private entry(name: string, keys: readonly string[]): Location {
    const path = `${this.path}:${name}`
    return new Location(path, `${path} config`, [...this.keys, ...keys], this.problems)
  }

  private add(message: string, keys: readonly string[]): null {
    const { suggestion } = this
    this.problems.push({ message, path: [...this.keys, ...keys], ...(suggestion && { suggest: suggestion }) })
    return null
  }
}
