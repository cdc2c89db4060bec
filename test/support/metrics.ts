/** Start a bot with this METRICS_TOKEN to read its metrics. */
export const metricsToken = 'a-token-for-the-metrics'

export const readMetrics = async (botUrl: string): Promise<string> => {
  const answer = await fetch(`${botUrl}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  return answer.text()
}
