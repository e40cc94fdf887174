/** Logs of tools that failed, by the tool. The line with » is the failing one. */
export const FAILED_LOGS: Readonly<Record<string, string>> = {
  'gcc and make': `
gcc -c a.c -o a.o
a.c: In function 'main':
» a.c:3:5: error: 'x' undeclared (first use in this function)
    3 |     x = 1;
      |     ^
make: *** [Makefile:2: a.o] Error 1`,
  linker: `
/usr/bin/ld: a.o: in function \`main':
» a.c:(.text+0x5): undefined reference to \`helper'
collect2: error: ld returned 1 exit status`,
  tsc: `
» src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.
src/b.ts(9,1): error TS2304: Cannot find name 'y'.
npm error code 2`,
  'tsc with colors': `
» \x1b[96msrc/a.ts\x1b[0m:\x1b[93m3\x1b[0m:\x1b[93m5\x1b[0m - \x1b[91merror\x1b[0m\x1b[90m TS2322: \x1b[0mType 'string' is not
Found 1 error in src/a.ts:3`,
  ESLint: `
/builds/app/src/a.js
  1:1   warning  Unexpected console statement  no-console
»   3:5   error    'x' is not defined            no-undef

✖ 2 problems (1 error, 1 warning)`,
  Vitest: `
 ✓ test/error.test.ts (3 tests) 4ms
   ✓ throws an Error: of the parser 1ms
stderr | test/b.test.ts > logs
Error: this one is expected
 ❯ test/a.test.ts (2 tests | 1 failed) 8ms
   × adds 5ms
⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯
»  FAIL  test/a.test.ts > adds
AssertionError: expected 3 to be 4 // Object.is equality
 Test Files  1 failed | 1 passed (2)`,
  Jest: `
PASS src/b.test.js
FAIL src/a.test.js
  ✓ reads (2 ms)
  ✕ adds (3 ms)
»   ● adds
    expect(received).toBe(expected)
Tests:       1 failed, 1 passed, 2 total`,
  pytest: `
test_a.py F.                                        [100%]
=================== FAILURES ===================
___________________ test_adds __________________
    def test_adds():
>       assert add(1, 2) == 4
» E       assert 3 == 4
test_a.py:3: AssertionError
=========== short test summary info ============
FAILED test_a.py::test_adds - assert 3 == 4
========= 1 failed, 1 passed in 0.02s ==========`,
  'go test': `
ok  	example.com/app/b	0.002s
» --- FAIL: TestAdds (0.00s)
    a_test.go:10: got 3, want 4
FAIL
FAIL	example.com/app/a	0.003s`,
  'go build': `
# example.com/app
» ./a.go:3:5: undefined: x`,
  'cargo build': `
   Compiling app v0.1.0
warning: unused variable: \`y\`
» error[E0382]: borrow of moved value: \`s\`
 --> src/main.rs:4:20
error: could not compile \`app\` (bin "app") due to 1 previous error`,
  'cargo test': `
test tests::fine ... ok
test tests::adds ... FAILED
---- tests::adds stdout ----
» thread 'tests::adds' panicked at src/lib.rs:9:9:
assertion \`left == right\` failed
test result: FAILED. 1 passed; 1 failed; 0 ignored`,
  Maven: `
[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0 <<< FAILURE! -- in app.CalcTest
» [ERROR] app.CalcTest.adds -- Time elapsed: 0.01 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <4> but was: <3>
[INFO] BUILD FAILURE
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test`,
  javac: `
[ERROR] COMPILATION ERROR :
» [ERROR] /builds/app/src/Calc.java:[3,5] cannot find symbol
[INFO] BUILD FAILURE`,
  Gradle: `
> Task :test
» CalcTest > adds() FAILED
    org.opentest4j.AssertionFailedError at CalcTest.java:9
2 tests completed, 1 failed
FAILURE: Build failed with an exception.`,
  RSpec: `
..F
Failures:
  1) Calc adds
»      Failure/Error: expect(add(1, 2)).to eq(4)
       expected: 4
2 examples, 1 failure
rspec ./spec/calc_spec.rb:3 # Calc adds`,
  PHPUnit: `
.F                                                  2 / 2 (100%)
There was 1 failure:
1) CalcTest::testAdds
» Failed asserting that 3 matches expected 4.
FAILURES!
Tests: 2, Assertions: 2, Failures: 1.`,
  'docker build': `
#8 [3/4] RUN vite build
» #8 0.512 sh: 1: vite: not found
#8 ERROR: process "/bin/sh -c vite build" did not complete successfully: exit code: 127
------
 > [3/4] RUN vite build:
ERROR: failed to solve: process "/bin/sh -c vite build" did not complete successfully: exit code: 127`,
  'node --test': `
▶ calc
  ✔ subtracts (0.5ms)
  ✖ adds (1.2ms)
✖ failing tests:
✖ adds (1.2ms)
»   AssertionError [ERR_ASSERTION]: 3 == 4`,
  Stylelint: `
src/a.css
»   3:5  ✖  Unexpected unknown property "colr"  property-no-unknown

✖ 1 problem (1 error, 0 warnings)`,
  Ruff: `
» F401 [*] \`os\` imported but unused
 --> a.py:1:8
Found 1 error.`,
  CMake: `
-- Detecting C compiler
» CMake Error at CMakeLists.txt:3 (find_package):
  Could not find a package configuration file
-- Configuring incomplete, errors occurred!`,
  npm: `
npm warn deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported
» npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/no-such-thing
npm error A complete log of this run can be found in: /root/.npm/_logs/1.log`,
  'older npm': `
npm WARN deprecated request@2.88.2: request has been deprecated
» npm ERR! code ERESOLVE
npm ERR! ERESOLVE unable to resolve dependency tree`,
  'Python traceback': `
starting
Traceback (most recent call last):
  File "/builds/app/run.py", line 3, in <module>
    main()
» app.errors.Refused: the account is closed
after`,
  shell: `
» /bin/bash: line 141: terraform: command not found`,
  git: `
Cloning into 'app'...
» fatal: repository 'https://example.com/app.git/' not found`,
  curl: `
  % Total    % Received
» curl: (7) Failed to connect to localhost port 8080 after 0 ms: Couldn't connect to server`,
  TAP: `
ok 1 - reads error: lines
» not ok 2 - adds
# failed 1 of 2 tests`,
  'a program without a message of a known form': `
checking the licences
» 3 files have no licence

`,
}
