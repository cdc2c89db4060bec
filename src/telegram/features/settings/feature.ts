import type { Feature } from '../feature.ts'
import { anybody, leaving } from '../guards/guards.ts'
import { isReferenceOrList } from '../guards/texts.ts'
import { pressSettings, showSettings, takeSetting } from './settings.ts'

/** A person's settings, the data that the bot keeps about them, and the account's security log. */
export const settings = {
  commands: {
    settings: { run: anybody(showSettings), onlyShows: true },
  },
  presses: {
    settings: leaving(anybody(pressSettings)),
  },
  questions: {
    setting: {
      staysFor: isReferenceOrList,
      text: anybody(takeSetting),
    },
  },
} satisfies Feature
