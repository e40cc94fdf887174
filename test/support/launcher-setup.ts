// The process of a coordinator lets another one start its programs. The processes of tests, which are larger, do the same.
import { useProgramLauncher } from '../../src/git/launch-program.js'

useProgramLauncher()
