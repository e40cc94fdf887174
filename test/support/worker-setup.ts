// For the tests of every project. Setup files run again for each file of tests, and what they import runs once.
import './equal-bytes.js'
