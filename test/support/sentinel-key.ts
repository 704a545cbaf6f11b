/** The subscriber's key of every crawl in the tests. Wherever it is found afterwards, a real one would have been. */
export const sentinelKey = 'sentinel-key-5d41402abc4b2a76';
