import type { Feature } from '../feature.ts'
import { leaving, member } from '../guards/guards.ts'
import { help, leave, leaveByButton, showHelp, showHome, showMore, start } from './home.ts'

/** The menu, the help, and leaving any flow. */
export const home = {
  commands: {
    start: { run: start, onlyShows: true },
    help: { run: help, onlyShows: true },
    cancel: { run: leave, keepsQuestion: true },
  },
  presses: {
    home: leaving(showHome),
    home_more: leaving(member(showMore)),
    leave: leaving(leaveByButton),
    help: (ctx, { topic }) => showHelp(ctx, topic),
  },
} satisfies Feature
