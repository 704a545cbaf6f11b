/** The subscriber's key of every crawl in the tests: wherever it appears, a real key would appear. */
export const sentinelKey = 'sentinel-key-5d41402abc4b2a76';
