import './cheap-scrypt.js'

// For the tests of the project `fast`. What this imports runs once in each process.
import { useProgramLauncher } from '../../src/git/launch-program.js'

// The process of a coordinator lets another one start its programs. The processes of tests, which are larger, do the same.
useProgramLauncher()
