console.log('no build yet');
