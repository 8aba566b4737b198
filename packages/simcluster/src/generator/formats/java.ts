import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Format } from './text.ts';

const EXCEPTIONS = [
  ['java.util.concurrent.TimeoutException', 'Did not observe any item within 5000ms'],
  [
    'java.sql.SQLTransientConnectionException',
    'HikariPool-1 - Connection is not available, request timed out after 30000ms.',
  ],
  ['org.springframework.dao.CannotAcquireLockException', 'could not execute statement'],
  ['java.lang.IllegalStateException', 'Order is already closed'],
] as const;

const FRAMES = [
  'com.zaxxer.hikari.pool.HikariPool.createTimeoutException(HikariPool.java:686)',
  'com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:179)',
  'com.zaxxer.hikari.HikariDataSource.getConnection(HikariDataSource.java:99)',
  'org.springframework.jdbc.datasource.DataSourceUtils.fetchConnection(DataSourceUtils.java:160)',
  'com.example.shop.order.OrderRepository.findOpen(OrderRepository.java:71)',
  'com.example.shop.order.OrderService.place(OrderService.java:118)',
  'com.example.shop.order.OrderController.post(OrderController.java:54)',
  'java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)',
  'org.apache.tomcat.util.threads.TaskThread$WrappingRunnable.run(TaskThread.java:63)',
  'java.base/java.lang.Thread.run(Thread.java:1583)',
];

/** Logback's pattern of Spring Boot; errors include a stack trace of many lines. */
export const javaLines: Format = ({ at, level, message, logger, random }) => {
  const time = `${formatTimestamp(at).slice(0, 23)}Z`;
  const name = level === 'fatal' ? 'ERROR' : level.toUpperCase();
  const thread = `nio-8080-exec-${random.int(1, 10)}`;
  const head = `${time} ${name.padStart(5)} 1 --- [${thread.padStart(17)}] com.example.shop.${logger} : ${message}`;
  if (level !== 'error' && level !== 'fatal') return [head];
  const [type, text] = random.pick(EXCEPTIONS);
  const depth = random.int(4, FRAMES.length);
  return [
    head,
    `${type}: ${text}`,
    ...FRAMES.slice(0, depth).map((frame) => `\tat ${frame}`),
    'Caused by: java.net.SocketTimeoutException: Read timed out',
    `\tat java.base/sun.nio.ch.NioSocketImpl.timedRead(NioSocketImpl.java:278)`,
    `\t... ${random.int(12, 60)} common frames omitted`,
  ];
};
