// Runs in the browser on the page of watches: marks what came true since the last visit. The page works without it.

const key = 'watch-seen';
const seen = localStorage.getItem(key);
const events = [...document.querySelectorAll('[data-at]')];
const news = seen === null ? [] : events.filter(({ dataset }) => dataset.at > seen);
for (const event of news) {
  const mark = Object.assign(document.createElement('span'), { className: 'badge real', textContent: 'new' });
  event.querySelector('.name').after(' ', mark);
}
if (seen !== null)
  document.getElementById('since-last').textContent = `${news.length || 'nothing'} new since your last visit`;
const newest = events
  .map(({ dataset }) => dataset.at)
  .sort()
  .at(-1);
if (newest || seen === null) localStorage.setItem(key, newest ?? '');
