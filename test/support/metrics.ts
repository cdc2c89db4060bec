/** The token with which a bot under test has to be started for its figures to be read. */
export const metricsToken = 'a-token-for-the-metrics'

export const readMetrics = async (botUrl: string): Promise<string> => {
  const answer = await fetch(`${botUrl}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  return answer.text()
}
