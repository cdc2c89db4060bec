import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The program names of Chromium and Chrome on Linux. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

const onMacOs = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const onWindows = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((variable) => {
  const folder = process.env[variable]
  return folder ? [join(folder, 'Google/Chrome/Application/chrome.exe')] : []
})

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The Chromium or Chrome on this machine: the one that `CHROME_PATH` names, or one in a usual place.
 * @returns null if there is none, or if `CHROME_PATH` is `none`.
 * @throws if `CHROME_PATH` names no program.
 */
const find = (): string | null => {
  const { CHROME_PATH: named, PATH = '' } = process.env
  if (named === 'none') return null
  if (named && !isProgram(named)) throw new Error(`CHROME_PATH: there is no program at ${named}.`)
  const inPath = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  return named || [...inPath, ...onMacOs, ...onWindows].find(isProgram) || null
}

export const installedBrowser = find()

export const howToGetOne =
  'Install Chromium or Chrome (on Debian: apt install chromium), or name one in CHROME_PATH.'
